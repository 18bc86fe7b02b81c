import { within } from '../async/within.ts'
import { ConfigError } from '../config-error.ts'
import { cleaned, messageOf, shorten } from '../errors/shown.ts'

/** The result of a check. No string contains a secret. */
export interface Finding {
  /** What was checked, such as `node rpc.example`. */
  about: string
  level: 'fine' | 'warning' | 'problem'
  detail: string
  /** What the operator of the service should do. */
  action?: string
}

/** A check's finding is about what it checks, unless it says otherwise. */
export type Found = Omit<Finding, 'about'> & { about?: string }

const MAX_DETAIL = 400

export const fine = (detail: string): Found => ({ level: 'fine', detail })
export const warning = (detail: string, action: string): Found => ({ level: 'warning', detail, action })
export const problem = (detail: string, action: string): Found => ({ level: 'problem', detail, action })

/** The maximum duration of a check, in milliseconds. All checks run at the same time. */
const CHECK_MS = 8000

/** Runs a check. An error, or no result in time, is a problem with this action. */
export async function checking(
  about: string,
  action: string,
  check: () => Found | Found[] | Promise<Found | Found[]>
): Promise<Finding[]> {
  const found = await resultOf(action, check)
  // A detail can quote an upstream.
  return [found].flat().map(one => ({ about, ...one, detail: shorten(one.detail) }))
}

async function resultOf(action: string, check: Parameters<typeof checking>[2]): Promise<Found | Found[]> {
  try {
    return await within(CHECK_MS, check(), () => problem(`no result within ${CHECK_MS / 1000} s`, action))
  } catch (error) {
    const text = error instanceof ConfigError ? error.problems.join('; ') : messageOf(error)
    return problem(cleaned(text, MAX_DETAIL), action)
  }
}
