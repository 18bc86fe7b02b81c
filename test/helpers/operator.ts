import type { Test } from 'tap'
import { run } from '../../operator/run.ts'
import { testEnv, type Variables } from './app.ts'
import type { Network } from './network.ts'

/** The operator's tool with the configuration of a server at that network and data directory. */
export function operatorTool(
  t: Test,
  network: Pick<Network, 'env'>,
  directory: string,
  overrides: Variables = {}
) {
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
    const env = testEnv(t, network, { SERVICE_DATA_DIR: directory, ...overrides })
    const code = await run(argv, output, { env })
    return { code, out, err }
  }
}
