/**
 * Passwords that programs try by themselves, so that nobody is asked for one: a file that is to be changed by some alone is
 * locked with them ([MS-OFFCRYPTO] 2.4.2.3 has the first one).
 */
export const OF_WORKBOOKS = 'VelvetSweatshop';
export const OF_PRESENTATIONS = '/01Hannes Ruescher/01';
