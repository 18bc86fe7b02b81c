import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from '../../../../packages/devnet/cli-options.ts'
import { freePort } from '../../../../packages/devnet/free-port.ts'
import { startDevnet } from '../../../../packages/devnet/index.ts'
import { startPostgres } from '../../../helpers/postgres/index.ts'
import { submitBody } from '../../../helpers/transfer.ts'
import { until } from '../../../helpers/until.ts'
import { isNginxInstalled, startBalancer } from './balancer.ts'
import { keepServer } from './server.ts'

const USAGE = `Usage: npm run replicas -- [--servers N] [NAME=VALUE ...]

Starts what compose.yaml describes as processes of this machine: a database, a development network, the servers and nginx
as the load balancer.

  --servers N   how many servers, 1 to 9 (default 2)
  NAME=VALUE    a variable for the servers, such as LOG_LEVEL=debug
  --help        this text`

const HOST = '127.0.0.1'

const NO_NGINX =
  'nginx is not installed. It is the package `nginx-light` of Debian and Ubuntu, and `nginx` elsewhere.'

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Collects cleanup steps, as a test does for its helpers. `close` runs them, newest first. */
function createScope() {
  const steps: (() => unknown)[] = []
  return {
    teardown: (step: () => unknown) => void steps.unshift(step),
    async close() {
      for (const step of steps.splice(0)) await step()
    }
  }
}

function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { servers: { type: 'string', default: '2' }, help: { type: 'boolean', default: false } }
  })
  if (!/^[1-9]$/.test(values.servers)) throw new UsageError(`--servers ${values.servers}: expected 1 to 9`)
  const variables = positionals.map(text => {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(text) ?? []
    if (name === undefined || value === undefined) throw new UsageError(`${text}: expected NAME=VALUE`)
    return [name, value]
  })
  const all: Record<string, string> = Object.fromEntries(variables)
  return { help: values.help, servers: Number(values.servers), variables: all }
}

async function start(
  scope: ReturnType<typeof createScope>,
  options: ReturnType<typeof readOptions>,
  interrupted: AbortSignal
) {
  const directory = await mkdtemp(join(tmpdir(), 'replicas-'))
  scope.teardown(() => rm(directory, { recursive: true, force: true }))
  const [database, devnet] = await Promise.all([startPostgres(scope), startDevnet()])
  scope.teardown(() => devnet.close())
  const databaseUrl = await database.createDatabase()
  const ports: number[] = []
  while (ports.length < options.servers) ports.push(await freePort(HOST))

  // The balancer starts before the servers, so it is stopped after them and can forward their last responses.
  const listen = `${HOST}:${await freePort(HOST)}`
  const upstreams = ports.map(port => `${HOST}:${port}`)
  await startBalancer(scope, directory, listen, upstreams)

  const env = { ...devnet.env(), DATABASE_URL: databaseUrl, TRUST_PROXY: HOST, ...options.variables }
  const servers = await Promise.all(
    ports.map((port, index) => keepServer({ name: `server-${index + 1}`, port, directory, env }, print))
  )
  scope.teardown(() => Promise.all(servers.map(server => server.stop())))
  for (const { name, url, log } of servers) {
    await until(async () => {
      interrupted.throwIfAborted()
      return (await fetch(`${url}/ready`).catch(() => undefined))?.ok
    }, `${name} is ready; its log is ${log}`)
  }
  return { url: `http://${listen}`, directory, servers, databaseUrl, rpc: devnet.urls.rpc }
}

function describe({ url, directory, servers, databaseUrl, rpc }: Awaited<ReturnType<typeof start>>): string {
  const [first] = servers
  return [
    `${servers.length} servers are running as one service.`,
    '',
    `  service   ${url} (nginx)`,
    ...servers.map(server => `  ${server.name}  ${server.url} pid ${server.pid} log ${server.log}`),
    `  database  ${databaseUrl}`,
    `  RPC       ${rpc}`,
    `  files     ${directory}`,
    '',
    'To try it:',
    `  curl ${url}/ready`,
    `  curl ${url}/submit -H 'content-type: application/json' -d '${submitBody('my-first-fee-id')}'`,
    '    Resend the request: every server returns the same response.',
    `  grep -H '"engine ready"' ${directory}/*.log`,
    '    The server with the newest epoch is the leader, which signs and sends.',
    `  kill -9 ${first?.pid} (or kill ${first?.pid} for a graceful stop)`,
    '    The other servers continue, and the killed server restarts.',
    '',
    'Press Ctrl-C to stop everything and remove its data.'
  ].join('\n')
}

/** `npm run replicas`: exits with code 2 on invalid options, 1 if something fails to start. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options.help) return print(USAGE)
  if (!isNginxInstalled()) {
    process.stderr.write(`${NO_NGINX}\n`)
    process.exitCode = 1
    return
  }
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort())
  const scope = createScope()
  try {
    print(describe(await start(scope, options, interrupted.signal)))
    if (!interrupted.signal.aborted) await once(interrupted.signal, 'abort')
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
  } finally {
    await scope.close()
  }
}

main().then(
  () => process.exit(),
  (error: Error & { code?: string }) => {
    const isUsage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS')
    process.stderr.write(`${isUsage ? `${error.message} (--help lists the options)` : error.stack}\n`)
    process.exit(isUsage ? 2 : 1)
  }
)
