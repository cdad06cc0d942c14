import type { RuntimeReport } from '../../../application/ports/agent-runtime.ts';
import { agentFailed } from './failure.ts';

/** An untrusted event of the agent-UI protocol. */
export type AgUiFields = Readonly<Record<string, unknown>>;

export interface AgUiReader {
  readonly push: (event: AgUiFields) => readonly RuntimeReport[];
  /** Whether a run was started and not finished: then its stream was interrupted. */
  readonly isOpen: () => boolean;
}

const ALIVE: readonly RuntimeReport[] = [{ kind: 'alive' }];
const ENDED: RuntimeReport = { kind: 'message_ended' };

/** Reads events of AG-UI. States and unknown events only show that the run is alive. */
export const createAgUiReader = (): AgUiReader => {
  let open = false;
  let messageId = '';
  /** Messages of other roles than the assistant. */
  const others = new Set<string>();
  const calls = new Map<string, { readonly tool: string; given: string }>();

  const said = (id: string, delta: string): readonly RuntimeReport[] => {
    if (delta === '' || others.has(id)) return ALIVE;
    const isNext = id !== '' && messageId !== '' && id !== messageId;
    if (id !== '') messageId = id;
    return isNext ? [ENDED, { kind: 'text', delta }] : [{ kind: 'text', delta }];
  };
  const ended = (): readonly RuntimeReport[] => {
    messageId = '';
    return [ENDED];
  };
  const called = (callId: string): readonly RuntimeReport[] => {
    const call = calls.get(callId);
    if (call === undefined) return ALIVE;
    calls.delete(callId);
    return [{ kind: 'tool_called', callId, tool: call.tool, arguments: call.given }];
  };
  const argued = (callId: string, tool: string, delta: string): readonly RuntimeReport[] => {
    const call = calls.get(callId);
    if (call !== undefined) call.given += delta;
    else if (callId !== '' && tool !== '') calls.set(callId, { tool, given: delta });
    return ALIVE;
  };

  return {
    isOpen: () => open,
    push: (event) => {
      const text = (name: string): string => textIn(event, name);
      const callId = text('toolCallId').slice(0, 200);
      switch (event['type']) {
        case 'RUN_STARTED':
          open = true;
          return ALIVE;
        case 'STEP_STARTED':
          return [{ kind: 'step' }];
        case 'TEXT_MESSAGE_START':
          if (!['', 'assistant'].includes(text('role'))) others.add(text('messageId'));
          return ended();
        case 'TEXT_MESSAGE_CONTENT':
        case 'TEXT_MESSAGE_CHUNK':
          return said(text('messageId'), text('delta'));
        case 'TEXT_MESSAGE_END':
          return ended();
        case 'REASONING_MESSAGE_CONTENT':
        case 'REASONING_MESSAGE_CHUNK':
        // Of versions before 1.0.
        case 'THINKING_TEXT_MESSAGE_CONTENT':
          return text('delta') === '' ? ALIVE : [{ kind: 'reasoning', delta: text('delta') }];
        case 'TOOL_CALL_START':
        case 'TOOL_CALL_ARGS':
        case 'TOOL_CALL_CHUNK':
          return argued(callId, text('toolCallName').slice(0, 200), text('delta'));
        case 'TOOL_CALL_END':
          return called(callId);
        case 'TOOL_CALL_RESULT': {
          const content = text('content');
          return [...called(callId), { kind: 'tool_answered', callId, isError: false, content }];
        }
        case 'RUN_ERROR':
          throw agentFailed(text('message'));
        case 'RUN_FINISHED': {
          open = false;
          const output = event['result'] ?? null;
          const rest = [...calls.keys()].flatMap(called);
          return output === null ? [...rest, ENDED] : [...rest, ENDED, { kind: 'output', output }];
        }
        default:
          return ALIVE;
      }
    },
  };
};

const textIn = (event: AgUiFields, name: string): string => {
  const value = event[name] ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
