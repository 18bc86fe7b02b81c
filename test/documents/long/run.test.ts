import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { build, startNetwork, temporaryFolder, untilReady } from '../../helpers/app.ts'
import { serve as startLocalServer } from '../../helpers/local-server.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { run } from '../../helpers/repository.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { type Block, blocksOf, documents } from '../blocks.ts'
import { createProject, type Project } from './typescript.ts'

const usual = 'http://127.0.0.1:3001'

/** EVM chains by the URLs that documents have for their nodes. */
const nodes = { 'http://127.0.0.1:8545': 'ETH', 'http://127.0.0.1:8546': 'OPT' } as const

type Urls = (text: string) => string

/**
 * Starts a server with the settings in `env run` blocks, and the EVM nodes that the document uses.
 * @returns a function that replaces the documented URLs by the real ones
 */
async function serve(t: Test, blocks: Block[]): Promise<Urls> {
  const settings = blocks.filter(({ kind }) => kind === 'env run').map(({ text }) => parseEnv(text))
  const used = Object.entries(nodes).filter(([url]) => blocks.some(({ text }) => text.includes(url)))
  const devnet = await startNetwork(t, { evm: used.map(([, name]) => name) })
  const server = await build(t, Object.assign({ NODE_ENV: 'development' }, ...settings), { devnet })
  await untilReady(server)
  const url = await startPatientProxy(t, await server.listen({ host: '127.0.0.1', port: 0 }))
  return text =>
    used.reduce(
      (result, [documented, name]) => result.replaceAll(documented, devnet.evm?.chain(name)?.url ?? ''),
      text.replaceAll(usual, url)
    )
}

/** Starts a proxy that retries while the server is too busy, because documented commands do not. @returns its URL */
async function startPatientProxy(t: Test, url: string): Promise<string> {
  const proxy = await startLocalServer(t, async ({ method, url: path, headers, body }, response) => {
    const type = headers['content-type']
    const answer = await patientFetch(`${url}${path}`, {
      method,
      ...(type !== undefined && { headers: { 'content-type': type } }),
      ...(body !== '' && { body })
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    for await (const chunk of answer.body ?? []) response.write(chunk)
    response.end()
  })
  return proxy.url
}

/** Returns a function that runs commands in bash and returns their output. Variables remain set for later calls. */
function createShell(t: Test): (commands: string) => Promise<string> {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'variables'), '')
  return commands => {
    const script = `exec </dev/null; set -a; . ./variables\n${commands}\nexport -p >variables`
    return run('bash', ['-euo', 'pipefail', '-c', script], { cwd })
  }
}

/** Numbers that differ on every run. */
const VARYING = /\/(height|deadline|permit2\/v)$/

/**
 * Compares a response shown in a document with the real one, which may have additional members. `…` in a string matches
 * any characters. @returns the path of each difference, with the expected and the received value
 */
function differences(shown: unknown, came: unknown, path = ''): string[] {
  if (isObject(shown) && isObject(came) && Array.isArray(shown) === Array.isArray(came)) {
    const names = Object.keys(shown)
    const length =
      Array.isArray(came) && came.length !== names.length ? [`${path}: ${came.length} entries`] : []
    return [...length, ...names.flatMap(name => differences(shown[name], came[name], `${path}/${name}`))]
  }
  const same =
    typeof shown === 'string' && typeof came === 'string'
      ? pattern(shown).test(came)
      : shown === came || (VARYING.test(path) && typeof shown === 'number' && typeof came === 'number')
  return same ? [] : [`${path}: ${JSON.stringify(shown)} is shown, received ${JSON.stringify(came)}`]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function pattern(shown: string): RegExp {
  const parts = shown.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

async function follow(t: Test, blocks: Block[], urls: Urls, project: Project): Promise<void> {
  const shell = createShell(t)
  let output = ''
  for (const { at, kind, text } of blocks) {
    const here = urls(text)
    if (kind === 'sh run') {
      output = await shell(here)
      t.pass(at)
    } else if (kind === 'ts run') {
      output = await project.run(project.add(here))
      t.pass(at)
    } else if (kind === 'json answer') {
      t.same(differences(JSON.parse(text), JSON.parse(output)), [], at)
    }
  }
}

test('commands in documents succeed and return the documented responses', async t => {
  const project = createProject(t)
  for (const path of documents()) {
    const blocks = blocksOf(path)
    if (!blocks.some(({ kind }) => / run$/.test(kind))) continue
    await t.test(path, async t => follow(t, blocks, await serve(t, blocks), project))
  }
})

test('programs in documents compile', async t => {
  const project = createProject(t)
  const programs = documents()
    .flatMap(path => blocksOf(path))
    .filter(({ kind }) => /^ts( run)?$/.test(kind))
  t.comment(programs.map(({ at, text }) => `${project.add(text)} is ${at}`).join('\n'))
  await project.compile()
  t.pass(`${programs.length} programs`)
})
