import type { Test } from 'tap'
import { loadConfig } from '../../config/index.ts'
import { createContext } from '../../packages/operator/context.ts'
import { run } from '../../packages/operator/run.ts'
import { type Network, testEnv, type Variables } from './app.ts'

/** Returns a function that runs the operator tool, configured like a server on this network. */
export function operatorTool(
  t: Test,
  network: Pick<Network, 'env'>,
  variables: Variables,
  log: (fields: object) => void = () => {}
) {
  return async (...argv: string[]) => {
    const out: string[] = []
    const err: string[] = []
    const output = {
      out: (text: string) => void out.push(text),
      err: (text: string) => void err.push(text),
      log
    }
    const code = await run(argv, output, { env: testEnv(t, network, variables) })
    return { code, out: out.join(''), err: err.join('') }
  }
}

/** Parses what the tool prints with --json. */
export const parsed = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

/** Opens the store of a server with this configuration, as the tool does. It closes when the test ends. */
export async function operatorQueries(t: Test, network: Pick<Network, 'env'>, variables: Variables) {
  const context = createContext(loadConfig(testEnv(t, network, variables)), { out() {}, err() {} })
  t.teardown(() => context.close())
  return context.read()
}
