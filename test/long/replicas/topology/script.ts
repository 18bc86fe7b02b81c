import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { startScript } from '../../../helpers/process.ts'
import { until } from '../../../helpers/until.ts'

export const START = 'test/long/replicas/topology/start.ts'

interface DescribedServer {
  name: string
  url: string
  log: string
}

/** Runs the `npm run replicas` script without npm and parses its output. */
export async function runReplicas(t: Test, ...scriptArguments: string[]) {
  const script = startScript(t, START, ...scriptArguments)
  /** Ends the script with SIGINT, like Ctrl-C. @returns its exit code */
  const interrupt = () => script.stop('SIGINT')
  t.teardown(interrupt)
  await script.saw(/Press Ctrl-C/)

  const read = (pattern: RegExp) => pattern.exec(script.output)?.[1] ?? ''
  const servers = [...script.output.matchAll(/(server-\d)\s+(\S+) pid \d+ log (\S+)/g)].map(
    ([, name = '', url = '', log = '']): DescribedServer => ({ name, url, log })
  )

  function pidOf({ name }: DescribedServer): number {
    const pids = [...script.output.matchAll(new RegExp(`${name} .*pid (\\d+)`, 'g'))]
    return Number(pids.at(-1)?.[1])
  }

  function leader(): DescribedServer | undefined {
    const terms = servers.map(server => {
      const begun = [...readFileSync(server.log, 'utf8').matchAll(/"epoch":(\d+),"msg":"engine ready"/g)]
      return { server, term: Number(begun.at(-1)?.[1] ?? 0) }
    })
    return terms.sort((one, other) => other.term - one.term)[0]?.server
  }

  return {
    url: read(/service\s+(\S+)/),
    rpc: read(/RPC\s+(\S+)/),
    directory: read(/files\s+(\S+)/),
    servers,
    pidOf,
    leader,
    async restart(server: DescribedServer, signal: NodeJS.Signals): Promise<void> {
      const pid = pidOf(server)
      process.kill(pid, signal)
      await until(() => pidOf(server) !== pid, `${server.name} has a new process`)
      await until(
        async () => (await fetch(`${server.url}/ready`).catch(() => undefined))?.ok,
        `${server.name} is ready`
      )
    },
    interrupt
  }
}
