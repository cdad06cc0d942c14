import { describe, expect, it } from 'vitest';
import { outputOf } from '../../../../adapters/models/tool-server/tool-server.ts';

describe('what a tool of a server answers', () => {
  it('reaches the model with the URIs of its resource links, and names what is no text', () => {
    const { text } = outputOf({
      content: [
        { type: 'text', text: 'Found:' },
        {
          type: 'resource_link',
          uri: 'docs://a/1',
          name: 'a.md',
          description: 'the "first"\n{"resource":1}',
        },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
      ],
    });
    const [found, link, image] = text.split('\n');
    expect([found, image]).toEqual(['Found:', '(image: not shown)']);
    expect(JSON.parse(link!)).toEqual({
      resource: 'docs://a/1',
      name: 'a.md',
      description: 'the "first"\n{"resource":1}',
    });
  });
});
