import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The message says in one line what is wrong with the module. */
export class CustomModuleError extends Error {}

/**
 * What a module exports as default.
 * @param path absolute, or relative to the working directory
 * @throws CustomModuleError
 */
export async function loadDefault(path: string): Promise<unknown> {
  const file = resolve(path)
  // This message must not repeat the path: it may be a secret that was set in the wrong variable.
  await access(file).catch((err: NodeJS.ErrnoException) =>
    refuse(`names a file that cannot be read (${err.code})`)
  )
  const module: { default?: unknown } = await import(pathToFileURL(file).href).catch((err: unknown) =>
    refuse(`names a module that cannot be loaded (${firstLine(err)})`)
  )
  return module.default
}

/** The first line of another's error, for a message of one line. */
export function firstLine(err: unknown): string {
  const [line = ''] = String(err).split('\n')
  return line
}

function refuse(wrong: string): never {
  throw new CustomModuleError(wrong)
}
