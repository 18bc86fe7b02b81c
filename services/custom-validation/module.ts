import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The message tells in one line what is wrong with the module. */
export class CustomModuleError extends Error {}

/**
 * What a module exports as default.
 * @param path absolute, or relative to the working directory
 * @throws CustomModuleError
 */
export async function loadDefault(path: string): Promise<unknown> {
  const file = resolve(path)
  // The path is not told before it is known to be one: any variable may have got a secret by mistake.
  await access(file).catch(err => refuse(`names a file that cannot be read (${err.code})`))
  const module: { default?: unknown } = await import(pathToFileURL(file).href).catch(err =>
    refuse(`names a module that cannot be loaded (${firstLine(err)})`)
  )
  return module.default
}

/** What an error of someone else's says, fit for a line. */
export function firstLine(err: unknown): string {
  const [line = ''] = String(err).split('\n')
  return line
}

function refuse(wrong: string): never {
  throw new CustomModuleError(wrong)
}
