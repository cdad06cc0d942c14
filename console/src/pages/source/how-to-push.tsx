import { Copy } from '../../ui/copy.tsx';
import { Card } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

const { push } = words;

/** The requests that bring a document, ready but for the key, which each program reads from its environment. */
export const HowToPush = ({ id }: { readonly id: string }) => (
  <>
    <p>{push.intro}</p>
    {(['curl', 'typescript'] as const).map((language) => {
      const text = REQUESTS[language](location.origin, id);
      return (
        <Card key={language} title={push.languages[language]}>
          <pre className="json">{text}</pre>
          <div className="actions">
            <Copy text={text} />
          </div>
        </Card>
      );
    })}
  </>
);

const KEY = `-H "x-api-key: $KNOWLEDGER_API_KEY"`;

const REQUESTS = {
  curl: (origin: string, id: string) => `# ${push.key}
API=${origin}/api/v1
# ${push.open}
JOB=$(curl -sS -X POST "$API/pushes/${id}/jobs" ${KEY} \\
  | sed -E 's/.*"job_id":"([^"]+)".*/\\1/')
# ${push.put} ${push.slash}
curl -sS -X PUT "$API/source-groups/${id}/sources/notes%2Fheron.md?title=Herons" ${KEY} \\
  -H 'content-type: text/markdown' --data-binary 'The heron stands in reeds.'
# ${push.complete}
curl -sS -X POST "$API/pushes/${id}/jobs/$JOB/complete" ${KEY}
`,
  typescript: (origin: string, id: string) => `import { createClient } from 'knowledger-client';

// ${push.key}
const client = createClient({ url: '${origin}', key: process.env.KNOWLEDGER_API_KEY ?? '' });
const id = '${id}';
// ${push.open}
const { job_id } = await client.post('/pushes/{id}/jobs', { path: { id }, body: {} });
// ${push.put}
const body = new FormData();
body.set('file', new Blob(['The tern dives.'], { type: 'text/markdown' }));
body.set('title', 'Terns');
const path = { id, locator: 'notes/tern.md' };
await client.raw('PUT', '/source-groups/{id}/sources/{locator}', { path, body });
// ${push.complete}
await client.post('/pushes/{id}/jobs/{job_id}/complete', { path: { id, job_id } });
`,
};
