import { fileURLToPath } from 'node:url'

/** The path of a compiled script. @param name its path from the root without the extension, such as `server` */
export function script(name: string): string {
  return fileURLToPath(new URL(`../../${name}.js`, import.meta.url))
}
