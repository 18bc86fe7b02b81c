import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const path = (relative: string) => fileURLToPath(new URL(`../${relative}`, import.meta.url))

/** Through the link of the workspace, where npm keeps the generator with the compiler that it needs. */
const generator = path('node_modules/client-types/node_modules/openapi-typescript/bin/cli.js')

/** The types of the client, `packages/client/openapi.ts`, for the present openapi.json. */
export function clientTypes(): string {
  return execFileSync(
    process.execPath,
    [generator, path('openapi.json'), '--root-types', '--root-types-no-schema-prefix'],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024
    }
  )
}
