import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

// The build copies package.json beside the compiled application.
const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** Version of this service, from package.json. */
export const version = Value.Parse(Type.Object({ version: Type.String() }), manifest).version
