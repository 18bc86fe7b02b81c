import type { Test } from 'tap'
import type { Devnet } from '../../devnet/index.ts'
import { run } from '../../operator/run.ts'
import { testEnv, type Variables } from './app.ts'

/** The operator's tool with the configuration of a server at that network and data directory. */
export function operatorTool(t: Test, devnet: Devnet, directory: string, overrides: Variables = {}) {
  return async (...argv: string[]) => {
    let [out, err] = ['', '']
    const output = {
      out(text: string) {
        out += text
      },
      err(text: string) {
        err += text
      }
    }
    const env = testEnv(t, devnet, { SERVICE_DATA_DIR: directory, ...overrides })
    const code = await run(argv, output, { env })
    return { code, out, err }
  }
}
