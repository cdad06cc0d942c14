import { DomainError } from '../shared/domain-error.ts';
import type { BindTag, ChangeTag, CreateTag, TagCommand } from './commands.ts';
import type { TagEvent } from './events.ts';
import { bindingOf, type LivingTag, type Tagging } from './state.ts';

export const decide = (command: TagCommand, tagging: Tagging): readonly TagEvent[] => {
  switch (command.type) {
    case 'create':
      return create(command, tagging);
    case 'change':
      return change(command, tagging);
    case 'delete': {
      const { tagId } = existing(command.tagId, tagging);
      return [{ type: 'TagDeleted', tagId, at: command.at }];
    }
    case 'bind':
      return bind(command, tagging);
    case 'unbind': {
      const binding = bindingOf(tagging, command.bindingId);
      if (binding === undefined) throw new DomainError('not_found', 'there is no such tag binding');
      return [{ ...binding, type: 'TagUnbound', at: command.at }];
    }
  }
};

const create = (command: CreateTag, tagging: Tagging): readonly TagEvent[] => {
  if (tagging.tags.has(command.tagId)) return [];
  mustBeFree(command.name, tagging);
  return [{ ...command, type: 'TagCreated' }];
};

const change = (command: ChangeTag, tagging: Tagging): readonly TagEvent[] => {
  const tag = existing(command.tagId, tagging);
  const { name = tag.name, description = tag.description, tagId, at } = command;
  if (name === tag.name && description === tag.description) return [];
  if (name !== tag.name) mustBeFree(name, tagging);
  return [{ type: 'TagChanged', tagId, name, description, at }];
};

const bind = (command: BindTag, tagging: Tagging): readonly TagEvent[] => {
  const { bindings } = existing(command.tagId, tagging);
  return bindings.has(command.sourceGroupId) ? [] : [{ ...command, type: 'TagBound' }];
};

/** Names are compared as they are written: case and accents tell tags apart. */
const mustBeFree = (name: string, { names }: Tagging): void => {
  if (names.has(name)) throw new DomainError('name_taken', 'there is a tag of this name already');
};

const existing = (tagId: string, { tags }: Tagging): LivingTag => {
  const tag = tags.get(tagId);
  if (tag === undefined) throw new DomainError('not_found', 'there is no such tag');
  return tag;
};
