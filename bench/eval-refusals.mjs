// npm run eval:refusals: fits what each piece of evidence counts for whether a question is answered without a model, over the
// questions of all manuals of `npm run eval:manuals`, and judges each manual by weights that were fitted without it.
// See docs/judging.md.
//   --more FILE: other manuals beside these, as `npm run eval:manuals` takes them
//   --wrong: shows each question that is refused or answered wrongly by weights fitted without its manual
import { runRefusals } from './eval/refusals/run.ts';

await runRefusals(process.argv.slice(2), console.log);
