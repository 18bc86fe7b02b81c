import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path of a compiled script. @param name its path from the root without the extension, such as `server` */
export function script(name: string): string {
  return fileURLToPath(new URL(`../../${name}.js`, import.meta.url))
}

/**
 * The arguments of node that run a script from its source, for what is not measured and needs the repository around it.
 * @param name its path from the root, which is the current directory, without the extension
 */
export function source(name: string): string[] {
  return ['--import', import.meta.resolve('tsx'), join(process.cwd(), `${name}.ts`)]
}
