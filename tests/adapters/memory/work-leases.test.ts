import { createMemoryWorkLeases } from '../../../adapters/memory/work-leases.ts';
import {
  type OpenWorkLeases,
  type Owed,
  type UnderWay,
  workLeasesContract,
} from '../contracts/work-leases.ts';
import { workOfAnyKind } from '../contracts/work-of-any-kind.ts';

const open = async (): Promise<OpenWorkLeases> => {
  const time = { now: 1_000_000 };
  const owed = new Map<string, Owed>();
  const underWay = new Map<string, UnderWay>();
  const kinds = ['errand', 'parcel'].map((kind) => ({
    kind,
    owed: () => [...owed.values()].filter((work) => work.kind === kind),
    underWay: () => [...underWay.values()].filter((work) => work.kind === kind),
  }));
  return {
    leases: createMemoryWorkLeases({ now: () => time.now }, kinds),
    owe: async (work) => void owed.set(work.id, work),
    begin: async (work) => void underWay.set(work.id, work),
    settle: async (id) => {
      owed.delete(id);
      underWay.delete(id);
    },
    pass: async (ms) => void (time.now += ms),
    close: async () => {},
  };
};

workLeasesContract('Memory', open);
workOfAnyKind('Memory', open);
