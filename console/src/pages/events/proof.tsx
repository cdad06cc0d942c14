import { useQuery } from '@tanstack/react-query';
import { verifyProof } from 'knowledger-client';
import { useState } from 'react';
import { useClient } from '../../session.ts';
import { Loaded } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

/** Of one event, checked in the browser. */
export const Proof = ({ stream, revision }: { readonly stream: string; readonly revision: number }) => {
  const client = useClient();
  const [asked, setAsked] = useState(false);
  const query = useQuery({
    queryKey: ['static', 'proof', stream, revision],
    enabled: asked,
    queryFn: async ({ signal }) => {
      const proof = await client.get('/audit/proofs/inclusion', { query: { stream, revision }, signal });
      // The first proof of a log makes its first signature, and with it the list of keys.
      const keys = await client.get('/audit/keys', { signal });
      return { proof, verified: await verifyProof(proof, keys) };
    },
  });
  if (!isSecureContext) return <p className="faint">{words.proof.insecure}</p>;
  if (!asked)
    return (
      <>
        <p className="faint">{words.proof.intro}</p>
        <button type="button" className="main" onClick={() => setAsked(true)}>
          {words.actions.verify}
        </button>
      </>
    );
  return (
    <Loaded query={query}>
      {({ proof, verified }) => {
        const isGood = verified.leaf && verified.tree && verified.note;
        return (
          <div className={isGood ? 'proof good' : 'proof bad'} role="status">
            <p>
              <strong>{isGood ? words.proof.good(proof.checkpoint.size) : words.proof.bad}</strong>
            </p>
            <ul>
              {(['leaf', 'tree', 'note'] as const).map((step) => (
                <li key={step}>
                  {verified[step] ? '✓' : '✗'} {words.proof.steps[step]}
                </li>
              ))}
            </ul>
            <code className="cut">{proof.checkpoint.root_hash}</code>
          </div>
        );
      }}
    </Loaded>
  );
};
