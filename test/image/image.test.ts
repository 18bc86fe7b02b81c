import { execFileSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { freePort } from '../../packages/devnet/free-port.ts'
import { DEVELOPMENT_WALLET } from '../../packages/devnet/wallets.ts'
import { send } from '../faults/transfers.ts'
import { temporaryFolder, untilReady, type Variables } from '../helpers/app.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { filesOf, read, root } from '../helpers/repository.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { baseImage } from './base.ts'
import { createBuildah } from './buildah.ts'
import { type ContainerOptions, runImage } from './container.ts'

const dockerfile = read('Dockerfile')

interface ComposeService {
  command?: string
  user?: string
  environment?: Variables
}

/** Content of every file that must stay out of the image. */
const MARKER = 'marker-of-what-stays-out'

/** Copies the repository's files to a folder and adds files that must stay out of the image, such as secrets. */
function context(folder: string): string {
  for (const path of filesOf()) cpSync(join(root, path), join(folder, path))
  const settings = ['.env', '.env.production', '.npmrc', '.git/config', 'config/.env']
  const built = ['dist/server.js', 'node_modules/fastify/index.js']
  for (const path of [...settings, ...built, 'data/store.db', 'secrets/phrase']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), MARKER)
  }
  return folder
}

const npm = (name: string) => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()

/** Returns build options that make npm use the package registry configured on this machine. */
function registryOptions(folder: string): string[] {
  const authorities = npm('cafile')
  const path = join(folder, 'npmrc')
  const hasOwn = authorities !== 'null'
  const lines = [`; ${MARKER}`, `registry=${npm('registry')}`, hasOwn ? `cafile=${authorities}` : '']
  writeFileSync(path, lines.join('\n'))
  const mounted = hasOwn ? ['--volume', `${authorities}:${authorities}:ro`] : []
  return ['--secret', `id=npmrc,src=${path}`, ...mounted]
}

/** Runs a command that prints paths. */
const pathsOf = (command: string) =>
  execFileSync('sh', ['-c', command], { encoding: 'utf8' }).match(/.+/g) ?? []

test('the image', async t => {
  const scratch = temporaryFolder(t)
  const buildah = createBuildah(t, join(scratch, 'buildah'))
  const [, preferred = ''] = /^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile) ?? []
  const base = await baseImage(buildah, preferred, join(scratch, 'base'))
  t.comment(`base image: ${base}`)
  const clone = context(join(scratch, 'context'))
  const build = async (name: string, ...words: string[]) => {
    const options = ['--format=docker', '--layers', '--pull-never', '--tag', name]
    const values = [`--build-arg=NODE_IMAGE=${base}`, '--build-arg=VERSION=1.2.3', '--build-arg=REVISION=abc']
    await buildah.run('build', ...options, ...registryOptions(scratch), ...values, ...words, clone)
    return buildah.open(name)
  }
  const image = await build('localhost/service')
  const sources = await build('localhost/service-sources', '--target', 'sources')
  const { config, files } = image
  const compose: Record<string, ComposeService> = parse(read('compose.yaml'), { merge: true }).services

  /** Runs the development network as compose.yaml does. */
  async function startDevnet(t: Test) {
    const { command = '', user = '' } = compose['devnet'] ?? {}
    const words = ['--port', '0', '--block-time', '100', '--host', '127.0.0.1']
    const devnet = runImage(t, sources, { user, tmpfs: '/tmp', command: [...command.split(' '), ...words] })
    const urlOf = async (name: string) => (await devnet.saw(new RegExp(`${name} +(\\S+)`)))[1] ?? ''
    return { rpc: await urlOf('rpc'), rest: await urlOf('rest'), fees: await urlOf('fees') }
  }

  t.test('lets the user write only to the data folder', async t => {
    const writable = pathsOf(`find ${files}/app ! -type l '(' ! -uid 0 -o -perm /022 ')'`)
    t.strictSame(writable, [`${files}/app/data`])
  })

  t.test('contains no secrets from the build machine', async t => {
    for (const { files, description } of [image, sources]) {
      const marked = pathsOf(`grep -rlF --devices=skip ${MARKER} ${files} || [ $? = 1 ]`)
      t.strictSame(marked, [])
      for (const secret of [MARKER, npm('registry'), npm('cafile')]) t.notOk(description.includes(secret))
    }
  })

  t.test('runs a server without privileges on a read-only root', async t => {
    const { rpc, rest } = await startDevnet(t)
    const HOST = '127.0.0.2'
    const port = await freePort(HOST)
    const url = `http://${HOST}:${port}`

    const data = join(scratch, 'data')
    mkdirSync(data)
    chownSync(data, 1000, 1000)
    const options: ContainerOptions = {
      data,
      env: {
        HOST,
        PORT: String(port),
        DOMAIN: 'https://shop.example',
        SERVICE_ENVIRONMENT: 'testnet',
        SERVICE_BACKEND_MNEMONIC: DEVELOPMENT_WALLET,
        SERVICE_BACKEND_NODE_PROVIDER: rpc,
        SERVICE_BACKEND_NODE_PROVIDER_QUERY: rest
      }
    }
    const [, ...check] = config.Healthcheck?.Test ?? []
    const health = () => runImage(t, image, { ...options, command: check }).exited
    const start = async () => {
      const container = runImage(t, image, options)
      await container.saw(/Server listening/)
      return container
    }

    t.equal(await health(), 1, 'the health check fails without a server')
    const first = await start()
    const status = readFileSync(`/proc/${await first.pid()}/status`, 'utf8')
    t.match(status, /^Uid:\t1000\t1000\t1000\t1000$/m)
    t.match(status, /^Gid:\t1000\t1000\t1000\t1000$/m)
    t.match(status, /^NSpid:\t\d+\t1$/m)
    t.match(status, /^CapEff:\t0+$/m)
    t.match(status, /^NoNewPrivs:\t1$/m)
    t.equal(await (await fetch(`${url}/health`)).text(), 'ok')
    // On a busy machine, a health check might time out. Container runtimes retry health checks.
    await until(async () => (await health()) === 0, 'the health check passes')
    await untilReady(url)

    const submitted = await send(url, 'fee-1')
    t.match(submitted, { txId: Number, submissionId: String })
    t.equal(await first.stop(), 0)
    t.equal(await health(), 1, 'the health check fails after the server has stopped')

    const second = await start()
    t.strictSame(await send(url, 'fee-1'), submitted, 'a retry')
    t.equal(await second.stop(), 0)
  })

  t.test('runs the servers of compose.yaml, which share the database', async t => {
    const { rpc, rest, fees } = await startDevnet(t)
    const secrets = join(scratch, 'secrets')
    mkdirSync(secrets)
    writeFileSync(join(secrets, 'mnemonic'), read('deploy/development/mnemonic'))
    writeFileSync(join(secrets, 'database-url'), await (await startPostgres(t)).createDatabase())
    // The names of the other containers.
    const hosts = { 'http://devnet:26657': rpc, 'http://devnet:26658': rest, 'http://devnet:26660': fees }
    const start = async (name: string) => {
      const { environment } = compose[name] ?? {}
      const at = (value: string) => Object.entries(hosts).find(([host]) => host === value)?.[1] ?? value
      const settings = Object.entries(environment ?? {}).map(([name, value]) => [name, at(value)])
      const [port, metrics] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')]
      const env = { ...Object.fromEntries(settings), PORT: `${port}`, METRICS_PORT: `${metrics}` }
      const container = runImage(t, image, { env, secrets })
      await container.saw(/Server listening/)
      const url = `http://127.0.0.1:${port}`
      await untilReady(url)
      return { container, url }
    }
    const servers = [await start('server-1'), await start('server-2')]
    const results = []
    for (const { url } of servers) results.push(await send(url, 'fee-2'))
    t.match(results[0], { txId: Number, submissionId: String })
    t.strictSame(results[1], results[0], 'a retry at the other server gets the same result')
    for (const { container } of servers) t.equal(await container.stop(), 0)
  })
})
