import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unreadable } from '../config-error.ts'

/**
 * Loads the default export of a module.
 * @param path absolute, or relative to the working directory
 * @param refusal creates the error from a problem
 */
export async function loadDefault(path: string, refusal: (wrong: string) => Error): Promise<unknown> {
  const file = resolve(path)
  await access(file).catch((err: unknown) => {
    throw refusal(`points to a file that ${unreadable(err, path)}`)
  })
  const module: { default?: unknown } = await import(pathToFileURL(file).href).catch((err: unknown) => {
    throw refusal(`points to a module that cannot be loaded (${firstLine(err)})`)
  })
  return module.default
}

/** Returns the first line of an error from an integrator's code, for a single-line message. */
export function firstLine(err: unknown): string {
  const [line = ''] = String(err).split('\n')
  return line
}
