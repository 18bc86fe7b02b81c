import { problem } from './problems.ts'
import type { Environment } from './read.ts'

/** Former names, each with what replaces it. A server must not start and quietly ignore a setting of its operator. */
const replaced = {
  SERVICE_STATUS_FORMAT:
    'SERVICE_ANSWER_FORMAT (`documented` in place of `list`, `widget` in place of `object`)'
} as const

export function replacedSettings(sources: readonly Environment[]): string[] {
  return Object.entries(replaced)
    .filter(([name]) => sources.some(source => source[name]?.trim()))
    .map(([name, successor]) => problem(name, 'has another name now', successor))
}
