import type { Response } from 'express';
import type { HttpProblem, ProblemType } from '../problem.ts';
import { sendJson } from '../send-json.ts';

/** Numbers of JSON-RPC 2.0, section 5.1; the last stands for all that have none. */
const CODES: Partial<Record<ProblemType, number>> = {
  invalid_json: -32700,
  invalid_request: -32600,
  internal_error: -32603,
};
const OTHER = -32000;

/** Refuses a request before there is a call: an HTTP error whose body is an error of JSON-RPC. */
export const sendRefusal = (res: Response, { status, type, message, headers }: HttpProblem): void => {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const error = { code: CODES[type] ?? OTHER, message, data: { type } };
  sendJson(res, status, { jsonrpc: '2.0', id: null, error });
};
