import { fileURLToPath } from 'node:url'

/** The path of a compiled script, named from the project's root without its ending, such as `server`. */
export function script(name: string): string {
  return fileURLToPath(new URL(`../../${name}.js`, import.meta.url))
}
