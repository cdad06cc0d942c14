import type { Equivalents } from '../equivalent.ts';

export const RUNS: readonly Equivalents[] = [
  {
    file: 'application/agents/runs/admit-run.ts',
    why: 'null holds nothing to hide; what is no deletion admits; a parent that is not named is none either way',
    mutants: [
      ['title === null', 'false'],
      ["'admit'", '""'],
      ['request.parentRunId !== undefined', 'true'],
    ],
  },
  {
    file: 'application/agents/runs/admit-run.ts',
    why: 'saves reading what was just written; what is not there is of no thread, and not over',
    mutants: [
      ["(event) => event.type === 'RunAdmitted'", '() => undefined'],
      ["event.type === 'RunAdmitted'", 'false'],
      ["'RunAdmitted'", '""'],
      ["parent.status === 'none'", 'false'],
      ["'none'", '""'],
      ["status !== 'none'", 'true'],
      ["state.status === 'none'", 'false'],
    ],
  },
  {
    file: 'application/agents/runs/admit-run.ts',
    why: 'a guess that saves a read; no other event of a thread names a run',
    mutants: [
      ['{ probablyNew: true }', '{}'],
      ['true', 'false'],
      ["event.type === 'RunAdmitted'", 'true'],
    ],
  },
  {
    file: 'application/agents/runs/cancel-run.ts',
    why: 'a run that was just seen is there; whoever hears of other runs, too, looks at this one',
    mutants: [
      ["state.status !== 'none'", 'true'],
      ["status !== 'none'", 'true'],
      ["'none'", '""'],
      ['{ stream: agentRunStream(id) }', '{}'],
    ],
  },
  {
    file: 'application/agents/runs/carry-out.ts',
    why: 'a message that is none cannot be kept either, and leads to none; no event of a run says that it was deleted',
    mutants: [
      ['message === null', 'false'],
      ['() => null', '() => undefined'],
      ["'deleted'", '""'],
    ],
  },
  {
    file: 'application/agents/runs/context.ts',
    why: 'no run and no text has such a name; no other message has calls of tools',
    mutants: [
      ['above !== null', 'true'],
      ['[]', '["Stryker was here"]'],
      ["message.role === 'assistant'", 'true'],
    ],
  },
  {
    file: 'application/agents/runs/create-run.ts',
    why: 'the stream of a key is of its tenant, and has a state once it is claimed; what holds nothing is neither answered nor under way',
    mutants: [
      [
        '(await deps.execute.load(agentRunKey, stream, caller.tenant))?.state',
        '(await deps.execute.load(agentRunKey, stream, caller.tenant)).state',
      ],
      ['held !== null', 'true'],
      ['state?.runId', 'state.runId'],
      ["'nothing'", '""'],
    ],
  },
  {
    file: 'application/agents/runs/create-run.ts',
    why: 'keeping the first texts of a thread that has its key is keeping them',
    mutants: [["(await loadThread(deps, tenant, threadId)).status === 'none'", 'true']],
  },
  {
    file: 'application/agents/runs/delete-thread.ts',
    why: 'a thread that was deleted has events',
    mutants: [
      ["done.revision === 'none'", 'false'],
      ["'none'", '""'],
    ],
  },
  {
    file: 'application/agents/runs/emission.ts',
    why: 'what is not there is not written down',
    mutants: [['structured === undefined', 'false']],
  },
  {
    file: 'application/agents/runs/lists.ts',
    why: 'what is not there is held for nobody; what has a title has a first run; titles are asked for that are not there',
    mutants: [
      ["state.status === 'none'", 'false'],
      ["'none'", '""'],
      ['row.firstRunId !== null', 'true'],
      ["''", '"Stryker was here!"'],
      ['rows.filter((row) => row.titled)', 'rows'],
    ],
  },
  {
    file: 'application/agents/runs/load.ts',
    why: 'what is not there is held for nobody',
    mutants: [
      ["found.revision === 'none'", 'false'],
      ["'none'", '""'],
      ["run.status === 'none'", 'false'],
    ],
  },
  {
    file: 'application/agents/runs/messages.ts',
    why: 'no other message has calls of tools: the role tells the compiler so',
    mutants: [["message.role !== 'assistant'", 'false']],
  },
  {
    file: 'application/agents/runs/read-run.ts',
    why: 'saves reading all events of a run that is there; null is read as null; no text has such a name',
    mutants: [
      ['{ from: 0n, limit: 1 }', '{}'],
      ['first[0] === undefined', 'false'],
      ['result === null', 'false'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'application/agents/runs/recorder.ts',
    why: 'saves keeping nothing; what refused a beginning is asked for only where nothing has begun',
    mutants: [
      ['bodies.length === 0', 'false'],
      ['!isBegun', 'true'],
    ],
  },
  {
    file: 'application/agents/runs/retrying-vault.ts',
    why: 'no sum of pauses is that number',
    mutants: [['waited >= LIMIT_MS', 'waited > LIMIT_MS']],
  },
  {
    file: 'application/agents/runs/run-events.ts',
    why: 'nothing is not beyond the last; a run that is seen has an event; a feed tells once what is behind a place',
    mutants: [
      ['after !== undefined', 'true'],
      ['stored.at(-1)?.recorded', 'stored.at(-1).recorded'],
      ['last?.revision ?? -1n', 'last?.revision && -1n'],
      ['last?.revision', 'last.revision'],
      ['-1n', '+1n'],
      ['message.events.filter(({ revision }) => revision > seen)', 'message.events'],
      ['revision > seen', 'true'],
      ['revision > seen', 'revision >= seen'],
      ['newer.at(-1)?.revision ?? seen', 'newer.at(-1)?.revision && seen'],
      ['newer.at(-1)?.revision', 'newer.at(-1).revision'],
      ['-1', '+1'],
    ],
  },
  {
    file: 'application/agents/runs/run-events.ts',
    why: 'what was told before is left out all the same',
    mutants: [
      ['last?.position ?? BEGINNING', 'last?.position && BEGINNING'],
      ['last?.position', 'last.position'],
    ],
  },
  {
    file: 'application/agents/runs/run-path.ts',
    why: 'what is not there is of no thread',
    mutants: [
      ["run.status === 'none'", 'false'],
      ["'none'", '""'],
    ],
  },
  {
    file: 'application/agents/runs/run-handler.ts',
    why: 'a stream that is there has begun; saves looking at runs that were over before',
    mutants: [
      ["found.state.status === 'none'", 'false'],
      ["'none'", '""'],
      ['before.state.startedAt === null', 'true'],
    ],
  },
  {
    file: 'application/agents/runs/run-request.ts',
    why: 'no other message has calls of tools: the role tells the compiler so',
    mutants: [["message.role !== 'assistant'", 'false']],
  },
  {
    file: 'application/agents/sweep-vault.ts',
    why: 'saves forgetting nothing; no text has such a name',
    mutants: [
      ['stray.length > 0', 'true'],
      ['stray.length > 0', 'stray.length >= 0'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'application/agents/runs/told-event.ts',
    why: 'no text has such a name',
    mutants: [['[]', '["Stryker was here"]']],
  },
];
