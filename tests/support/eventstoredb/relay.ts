import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export interface Relay {
  readonly port: number;
  /** Ends every connection at once, as a dying host would. New ones are accepted. */
  readonly cut: () => void;
  /** Cuts, and lets nobody in until `restore`. */
  readonly isolate: () => Promise<void>;
  readonly restore: () => Promise<void>;
  /**
   * Connections stay open and no byte passes any more, in neither direction: as a frozen host, or a firewall that forgot
   * them. `open`: those that are open now; `new`: those to come, from their first byte on; `all`: both.
   */
  readonly fallSilent: (which: 'open' | 'new' | 'all') => void;
  /** Hands on what was held back, in its order, and lets new ones pass: the host was only frozen. */
  readonly thaw: () => void;
  /** How many connections of clients are open now, and how many there have been. */
  readonly connections: () => { readonly open: number; readonly ever: number };
  readonly close: () => Promise<void>;
}

/** Hands bytes on to `target`: its connections can be cut or silenced without the server's consent. */
export const startRelay = async (target: number, port = 0): Promise<Relay> => {
  const passages = new Set<Passage>();
  let [newAreSilent, ever] = [false, 0];
  const server = createServer((incoming) => {
    ever += 1;
    const passage = createPassage(incoming, connect(target, '127.0.0.1'));
    if (newAreSilent) passage.hold();
    passages.add(passage);
    incoming.on('close', () => passages.delete(passage));
  });
  const listen = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = (): void => {
    for (const { destroy } of passages) destroy();
  };
  const shut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  };
  await listen(port);
  const own = (server.address() as AddressInfo).port;
  return {
    port: own,
    cut,
    isolate: shut,
    restore: () => listen(own),
    fallSilent: (which) => {
      if (which !== 'new') for (const { hold } of passages) hold();
      if (which !== 'open') newAreSilent = true;
    },
    thaw: () => {
      newAreSilent = false;
      for (const { release } of passages) release();
    },
    connections: () => ({ open: passages.size, ever }),
    close: shut,
  };
};

interface Passage {
  readonly hold: () => void;
  readonly release: () => void;
  readonly destroy: () => void;
}

const createPassage = (incoming: Socket, outgoing: Socket): Passage => {
  let held: (() => void)[] | null = null;
  for (const [from, to] of [
    [incoming, outgoing],
    [outgoing, incoming],
  ] as const) {
    // Small frames that wait for an acknowledgement would cost 40 ms each.
    from.setNoDelay(true);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    to.on('drain', () => from.resume());
    from.on('data', (bytes) => {
      const pass = (): void => {
        if (!to.write(bytes)) from.pause();
      };
      if (held === null) pass();
      else held.push(pass);
    });
  }
  return {
    hold: () => void (held ??= []),
    release: () => {
      const waiting = held ?? [];
      held = null;
      for (const pass of waiting) pass();
    },
    destroy: () => {
      for (const socket of [incoming, outgoing]) socket.resetAndDestroy();
    },
  };
};
