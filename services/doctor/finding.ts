import { within } from '../async/within.ts'
import { ConfigError } from '../config-error.ts'
import { cleaned, messageOf } from '../errors/shown.ts'

/** The result of a check. Neither string contains a secret. */
export interface Finding {
  /** What was checked, such as `node rpc.example`. */
  about: string
  level: 'fine' | 'warning' | 'problem'
  detail: string
  /** What the operator of the service should do. */
  action?: string
}

const MAX_DETAIL = 400

export const fine = (about: string, detail: string): Finding => ({ about, level: 'fine', detail })

const finding =
  (level: 'warning' | 'problem') =>
  (about: string, detail: string, action: string): Finding => ({ about, level, detail, action })

export const warning = finding('warning')
export const problem = finding('problem')

/** The maximum duration of a check, in milliseconds. All checks run at the same time. */
const CHECK_MS = 8000

/** Runs a check. An error, or no result in time, is a problem with this action. */
export async function checking(
  about: string,
  action: string,
  check: () => Promise<Finding | Finding[]>
): Promise<Finding[]> {
  try {
    const late = (): Finding => problem(about, `no result within ${CHECK_MS / 1000} s`, action)
    return [await within(CHECK_MS, check(), late)].flat()
  } catch (error) {
    const text = error instanceof ConfigError ? error.problems.join('; ') : messageOf(error)
    return [problem(about, cleaned(text, MAX_DETAIL), action)]
  }
}
