import type { RuleKind } from '../rule.ts';
import { cardDetector } from './card.ts';
import type { Detector } from './detector.ts';
import { emailDetector } from './email.ts';
import { ibanDetector } from './iban.ts';
import { ipDetector } from './ip-address.ts';
import { keyDetector } from './key.ts';
import { nationalIdDetector } from './national-id.ts';
import { phoneDetector } from './phone.ts';

/** The detectors of the built-in kinds. */
export const DETECTORS: { readonly [K in Exclude<RuleKind, 'pattern'>]: Detector } = {
  email: emailDetector,
  phone: phoneDetector,
  card: cardDetector,
  iban: ibanDetector,
  ip: ipDetector,
  national_id: nationalIdDetector,
  key: keyDetector,
};
