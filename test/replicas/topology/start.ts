import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../../devnet/free-port.ts'
import { startDevnet } from '../../../devnet/index.ts'
import { startPostgres } from '../../helpers/postgres/index.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { isNginxInstalled, startBalancer } from './balancer.ts'
import { createScope, type Scope } from './scope.ts'
import { type KeptServer, keepServer } from './server.ts'

const HOST = '127.0.0.1'

const USAGE = `Usage: npm run replicas [-- --servers N] [-- NAME=VALUE ...]

Starts what compose.yaml describes as processes of this machine: a database, a development network, the servers and nginx
as the load balancer.
  --servers N   how many servers (default 2)
  NAME=VALUE    a variable for the servers, such as LOG_LEVEL=debug
  --help        this text`

const NO_NGINX =
  'nginx is not installed. It is the package `nginx-light` of Debian and Ubuntu, and `nginx` elsewhere.'

class UsageError extends Error {}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function readOptions(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { servers: { type: 'string', default: '2' }, help: { type: 'boolean', default: false } }
    })
    if (!/^[1-9]$/.test(values.servers)) throw new Error(`--servers ${values.servers}: expected 1 to 9`)
    const variables = positionals.map((text): [string, string] => {
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(text) ?? []
      if (name === undefined || value === undefined) throw new Error(`${text}: expected NAME=VALUE`)
      return [name, value]
    })
    return { servers: Number(values.servers), variables: Object.fromEntries(variables), help: values.help }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function start(
  scope: Scope,
  count: number,
  variables: Record<string, string>,
  interrupted: AbortSignal
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'replicas-'))
  scope.teardown(() => rm(directory, { recursive: true, force: true }))
  const [database, devnet] = await Promise.all([startPostgres(scope), startDevnet()])
  scope.teardown(() => devnet.close())
  const databaseUrl = await database.createDatabase()
  const ports: number[] = []
  for (let port = 0; port <= count; port += 1) ports.push(await freePort(HOST))
  const [balancerPort = 0, ...serverPorts] = ports
  // Before the servers, and so stopped after them: the answers of their last requests go through it.
  const listen = `${HOST}:${balancerPort}`
  await startBalancer(
    scope,
    directory,
    listen,
    serverPorts.map(port => `${HOST}:${port}`)
  )
  const env = { ...devnet.env(), DATABASE_URL: databaseUrl, TRUST_PROXY: HOST, ...variables }
  const servers = serverPorts.map((port, index) =>
    keepServer(scope, { name: `server-${index + 1}`, port, directory, env }, print)
  )
  for (const { url, name, log } of servers) {
    await until(async () => {
      interrupted.throwIfAborted()
      return (await fetch(`${url}/ready`).catch(() => undefined))?.ok
    }, `${name} is ready; its log is ${log}`)
  }
  print(describe(`http://${listen}`, servers, devnet.urls.rpc, databaseUrl, directory))
}

function describe(
  url: string,
  servers: readonly KeptServer[],
  rpc: string,
  database: string,
  directory: string
): string {
  return [
    `${servers.length} servers are one service.`,
    '',
    `  service   ${url} (nginx, with its files and log in ${directory})`,
    ...servers.map(server => `  ${server.name}  ${server.url} pid ${server.pid} log ${server.log}`),
    `  database  ${database}`,
    `  RPC       ${rpc}`,
    '',
    'To try it:',
    `  curl ${url}/ready`,
    `  curl ${url}/submit -H 'content-type: application/json' -d '${submitBody('my-first-fee-id')}'`,
    '    Again gives the same answer, from either server.',
    `  grep -H '"engine ready"' ${directory}/*.log`,
    '    The newest term belongs to the server that signs and sends.',
    `  kill -9 ${servers[0]?.pid}   or, in order, kill ${servers[0]?.pid}`,
    '    The others go on, and it starts again.',
    '',
    'Press Ctrl-C to stop everything and remove its data.'
  ].join('\n')
}

/** `npm run replicas`: exit code 2 for wrong options, 1 when something does not start. */
async function main(): Promise<void> {
  const { servers, variables, help } = readOptions(process.argv.slice(2))
  if (help) return print(USAGE)
  if (!isNginxInstalled()) throw new UsageError(NO_NGINX)
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort())
  const scope = createScope()
  try {
    await start(scope, servers, variables, interrupted.signal)
    if (!interrupted.signal.aborted) await once(interrupted.signal, 'abort')
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
  } finally {
    await scope.close()
  }
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    const isUsage = error instanceof UsageError
    process.stderr.write(`${isUsage ? error.message : error instanceof Error ? error.stack : error}\n`)
    process.exit(isUsage ? 2 : 1)
  }
)
