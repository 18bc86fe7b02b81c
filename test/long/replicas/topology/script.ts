import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { until } from '../../../helpers/until.ts'

export const START = fileURLToPath(new URL('start.ts', import.meta.url))

/** A server as the script describes it. */
export interface DescribedServer {
  readonly name: string
  readonly url: string
  readonly log: string
}

/** Runs `npm run replicas` without npm, and reads what it prints. */
export async function runReplicas(t: Test, ...scriptArguments: string[]) {
  const child = spawn(process.execPath, [
    '--import',
    import.meta.resolve('tsx/esm'),
    START,
    ...scriptArguments
  ])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const exited = once(child, 'exit')
  /** Ends the script as Ctrl-C does. @returns its exit code */
  async function interrupt(): Promise<number | null> {
    child.kill('SIGINT')
    await exited
    return child.exitCode
  }
  t.teardown(interrupt)
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the script ended: ${output}`)
    return output.includes('Press Ctrl-C')
  }, 'the script has started everything')

  const read = (pattern: RegExp) => pattern.exec(output)?.[1] ?? ''
  const servers = [...output.matchAll(/(server-\d)\s+(\S+) pid \d+ log (\S+)/g)].map(
    ([, name = '', url = '', log = '']): DescribedServer => ({ name, url, log })
  )

  /** The present process of a server. */
  function pidOf({ name }: DescribedServer): number {
    const pids = [...output.matchAll(new RegExp(`${name} .*pid (\\d+)`, 'g'))]
    return Number(pids.at(-1)?.[1])
  }

  /** The server whose log has the newest term. */
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
    /** Ends the present process of a server, and waits until another one is ready in its place. */
    async restart(server: DescribedServer, signal: NodeJS.Signals): Promise<void> {
      const pid = pidOf(server)
      process.kill(pid, signal)
      await until(() => pidOf(server) !== pid, `${server.name} has another process`)
      await until(
        async () => (await fetch(`${server.url}/ready`).catch(() => undefined))?.ok,
        `${server.name} is ready`
      )
    },
    interrupt
  }
}
