import type { Workflow } from './next.ts';
import { chat } from './workflows/chat.ts';
import { extract } from './workflows/extract.ts';
import { research } from './workflows/research.ts';

/** All workflows that a run may name. */
const WORKFLOWS: readonly Workflow[] = [chat, research, extract];

export const WORKFLOW_TYPES: readonly string[] = WORKFLOWS.map(({ type }) => type);

/** Undefined when there is no workflow of this type. */
export const workflowOf = (type: string): Workflow | undefined =>
  WORKFLOWS.find((workflow) => workflow.type === type);
