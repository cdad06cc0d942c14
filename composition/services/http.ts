import type { Express } from 'express';
import type { StartState } from '../start-state.ts';

export interface HttpServices {
  StartState: StartState;
  /** What is not ready to serve, each with a short reason. */
  NotReady: () => Promise<Readonly<Record<string, string>>>;
  /** Parts that the service works without, for anybody to read: the log says more. */
  OptionalParts: () => Readonly<Record<string, string>>;
  Http: Express;
  /** Health alone, for a process that serves no API. */
  HealthHttp: Express;
}
