// Inputs of tools: what tells two calls of a tool apart, and which files they name.

import type { Location } from '../../../event/event.ts';
import { asNumber, asObject, type Json } from '../../../event/json.ts';
import { firstText, placeAt } from '../../input.ts';
import type { ToolInput } from './wire.ts';

const TITLES: readonly string[] = [
  'file_path',
  'notebook_path',
  'target_file',
  'command',
  'pattern',
  'url',
  'query',
  'description',
  'path',
  'target_directory',
  'skill',
  'subject',
];

/** What tells this call from others of the same tool: the path, the command, the pattern, the address. */
export function titleOf(input: Json): string | undefined {
  return firstText(input, TITLES);
}

const PATHS: readonly string[] = ['file_path', 'notebook_path', 'target_file', 'path', 'target_directory'];

export function locationsOf(input: Json): readonly Location[] | undefined {
  return placeAt(firstText(input, PATHS), asNumber(asObject<ToolInput>(input)?.offset));
}
