import { describe, expect, it } from 'vitest';
import { DETECTORS } from '../../../domain/redaction/detectors/by-kind.ts';

type Kind = keyof typeof DETECTORS;
/** Each text with what is found in it. */
type Table = { readonly [K in Kind]: readonly (readonly [text: string, ...found: string[]])[] };

const PEM = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'MIIEowIBAAKCAQEAn3s8x0vD1e8Yy3k0aQmH0m0Zb1u4tq8mJf7u8l2XJb5oQ2wG',
  'c29tZSBtb3JlIGtleSBkYXRh',
  '-----END RSA PRIVATE KEY-----',
].join('\n');

const TABLE: Table = {
  email: [
    ['write to jane.doe@example.org.', 'jane.doe@example.org'],
    ['<a href="mailto:Jane+news@mail.example.co.uk?subject=x">', 'Jane+news@mail.example.co.uk'],
    ["o'neil_99%x@sub-domain.example.travel", "o'neil_99%x@sub-domain.example.travel"],
    ['jörg@müller.example, 用户@例子.公司', 'jörg@müller.example', '用户@例子.公司'],
    ['token=a@b.io&x', 'a@b.io'],
    ['a@b@c.example', 'b@c.example'],
    ['user@xn--mller-kva.example', 'user@xn--mller-kva.example'],
    ['root@localhost, root@local.', 'root@localhost'],
    ['@handle and me@'],
    ['git@1.2.3.4'],
    ['a.@example.org'],
    ['x@example.org-.-', 'x@example.org'],
    ['x@example.o'],
    ['x@-example.org'],
    [`a@${'b'.repeat(63)}.org`, `a@${'b'.repeat(63)}.org`],
    [`a@${'b'.repeat(64)}.org`],
    [
      'jane (at) example (dot) org, jane[at]example.org',
      'jane (at) example (dot) org',
      'jane[at]example.org',
    ],
    ['"jane doe"@example.org and ""@example.org', '"jane doe"@example.org'],
    ['a&#64;b.example, a%40b.example', 'a&#64;b.example', 'a%40b.example'],
    ['jane@\nexample.org or jane@\n\nexample.org', 'jane@\nexample.org'],
    ['she (at) noon, the dot (dot) here'],
  ],
  phone: [
    ['call +49 30 901820 now', '+49 30 901820'],
    ['+1 (415) 555-2671', '+1 (415) 555-2671'],
    ['+14155552671', '+14155552671'],
    ['Tel. (030) 90182-0', '(030) 90182-0'],
    ['0151/12345678 or 0171 2345678', '0151/12345678 or 0171 2345678'.slice(0, 13), '0171 2345678'],
    ['+44 (0)20 7946 0958', '+44 (0)20 7946 0958'],
    ['020 7946 0958.', '020 7946 0958'],
    ['01 23 45 67 89', '01 23 45 67 89'],
    ['01.23.45.67.89', '01.23.45.67.89'],
    ['(555) 234-5678, 555-234-5678, 1-800-555-0199', '(555) 234-5678', '555-234-5678', '1-800-555-0199'],
    ['0049 30 901820', '0049 30 901820'],
    ['ring 015112345678', '015112345678'],
    ['on 01.02.2024 and 2024-01-02, 01/02/24'],
    ['2024-11-21 08:30:00'],
    ['21.11.2026 0815'],
    ['version 1.20.300.4000 of 10.15.7'],
    ['at 192.168.100.200'],
    ['0.12345678'],
    ['order 1234567890'],
    ['€ 0,1234567'],
    ['id4155552671234'],
    ['+12345'],
  ],
  card: [
    ['4111 1111 1111 1111', '4111 1111 1111 1111'],
    ['paid with 5555-5555-5555-4444.', '5555-5555-5555-4444'],
    ['378282246310005', '378282246310005'],
    ['3782 822463 10005', '3782 822463 10005'],
    ['in 2024 4111111111111111', '4111111111111111'],
    ['6011000990139424,30569309025904', '6011000990139424', '30569309025904'],
    ['4222222222222', '4222222222222'],
    ['2223003122003222', '2223003122003222'],
    ['4111 1111 1111 1112'],
    ['41111111111111111111'],
    ['1234567812345670'],
    ['x4111111111111111'],
    ['3.1415926535897932'],
    ['411111111111'],
  ],
  ip: [
    ['from 192.168.0.1 to 10.0.0.255.', '192.168.0.1', '10.0.0.255'],
    ['http://127.0.0.1:8080/x', '127.0.0.1'],
    ['addr:8.8.8.8,', '8.8.8.8'],
    ['2001:db8::8a2e:370:7334', '2001:db8::8a2e:370:7334'],
    ['[::1]:443 and fe80::1%eth0', '::1', 'fe80::1'],
    ['2001:0db8:85a3:0000:0000:8a2e:0370:7334', '2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
    ['::ffff:192.0.2.128', '::ffff:192.0.2.128'],
    ['version 1.2.3'],
    ['1.2.3.4.5'],
    ['v1.2.3.4'],
    ['256.1.1.1 and 01.2.3.4'],
    ['12:30:45'],
    ['aa:bb:cc:dd:ee:ff'],
    ['std::vector, a::b, ::'],
    ['1:2:3:4:5:6:7:8:9'],
    ['1:2:3:4:5:6:7::, 1:2:3:4:5:6:7::8, ::1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7::'],
    ['listens on :: and [::]:80, not x :: y', '::', '::'],
    ['::/0', '::'],
  ],
  national_id: [
    ['SSN 123-45-6789.', '123-45-6789'],
    ['123 45 6789', '123 45 6789'],
    ['Steuer-ID 86095742719', '86095742719'],
    ['86 095 742 719', '86 095 742 719'],
    ['47036892816', '47036892816'],
    ['NI AB123456C', 'AB123456C'],
    ['qq JG 10 37 59 A', 'JG 10 37 59 A'],
    ['000-12-3456'],
    ['666-12-3456 912-12-3456'],
    ['123-00-4567 123-45-0000'],
    ['078-05-1120'],
    ['123456789'],
    ['123-45-67890'],
    ['1-123-45-6789'],
    ['86095742718'],
    ['12345678901'],
    ['GB123456A DA123456A AO123456B AB123456E'],
  ],
  key: [
    ['kn_3QxmT0aZbYcXdWeVfUgThSiRjQkPlOmN', 'kn_3QxmT0aZbYcXdWeVfUgThSiRjQkPlOmN'],
    ['AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
    ['"ghp_16C7e42F292c6912E7710c838347Ae178B4a"', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
    ['key=sk-proj-abcdefghijklmnopqrst', 'sk-proj-abcdefghijklmnopqrst'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln'],
    ['secret wJalrXUtnFEMI/K7MDENG/bPxRfiCY91pQ2z.', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCY91pQ2z'],
    ['9f86d081884c7d659a2feaa0c55ad015', '9f86d081884c7d659a2feaa0c55ad015'],
    [`before\n${PEM}\nafter`, PEM],
    [
      '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nthat was all',
      '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nthat',
    ],
    ['getElementsByTagNameNS and toLocaleUpperCase2'],
    ['docs/2024/11/getting-started-with-version-24'],
    ['Donaudampfschifffahrtsgesellschaft'],
    ['123e4567-e89b-12d3-a456-426614174000'],
    ['--------------------------------'],
    ['12345678901234567890123'],
    ['knowledger-1.0.0-beta.20241121.tar.gz'],
    ['sk-short'],
    ['password=hunter2; pwd: "s3cret!"', 'hunter2', 's3cret!'],
    ['password: string, password=$PASS1, token = tokens[2]'],
    ['Authorization: Bearer 0123456789abcdef', '0123456789abcdef'],
    ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  ],
};

describe('the detectors', () => {
  for (const kind of Object.keys(TABLE) as Kind[]) {
    for (const [text, ...found] of TABLE[kind]) {
      it(`find ${found.length === 0 ? `no ${kind}` : `the ${kind}`} in ${JSON.stringify(text.slice(0, 60))}`, () => {
        const spans = DETECTORS[kind].find(text, 0);
        expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(found);
      });
    }
  }
});
