import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * What a module exports as default.
 * @param path absolute, or relative to the working directory
 * @param refusal the error for what is wrong with the module, in one line without its path: that may be a secret in the wrong variable
 * @throws what `refusal` makes
 */
export async function loadDefault(path: string, refusal: (wrong: string) => Error): Promise<unknown> {
  const file = resolve(path)
  await access(file).catch((err: NodeJS.ErrnoException) => {
    throw refusal(`names a file that cannot be read (${err.code})`)
  })
  const module: { default?: unknown } = await import(pathToFileURL(file).href).catch((err: unknown) => {
    throw refusal(`names a module that cannot be loaded (${firstLine(err)})`)
  })
  return module.default
}

/** The first line of another's error, for a message of one line. */
export function firstLine(err: unknown): string {
  const [line = ''] = String(err).split('\n')
  return line
}
