import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import { rpc } from '../../helpers/rpc.ts'
import { type Test, test } from '../../helpers/tap.ts'

const HOST = '127.0.0.1'
const script = fileURLToPath(new URL('../start.ts', import.meta.url))

/** Runs the script until it prints its RPC URL. */
async function start(t: Test, options: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx/esm', script, ...options], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit').then(([code]) => code)
  for await (const line of createInterface(child.stdout)) {
    const url = /RPC +(http:\S+)/.exec(line)?.[1]
    if (url !== undefined) return { url, child, exited }
  }
  throw new Error(`The script ended with ${await exited}`)
}

async function status(url: string) {
  const { result } = await rpc(url, 'status')
  return result as { node_info: { network: string; id: string }; sync_info: { latest_block_height: string } }
}

test('the start script runs a chain, stops it cleanly and continues it', async t => {
  const ports = ['--rpc-port', String(await freePort(HOST)), '--rest-port', String(await freePort(HOST))]
  const options = ['--data', temporaryFolder(t), '--block-time', '200ms', ...ports]
  const before = await start(t, options)
  const first = await status(before.url)
  before.child.kill('SIGTERM')
  t.equal(await before.exited, 0)

  const after = await start(t, options)
  const second = await status(after.url)
  t.equal(second.node_info.id, first.node_info.id, 'the same node')
  t.ok(
    Number(second.sync_info.latest_block_height) >= Number(first.sync_info.latest_block_height),
    'the same chain'
  )
  after.child.kill('SIGINT')
  t.equal(await after.exited, 0)
})

test('a wrong option of the start script is an error of one line', async t => {
  const child = spawn(process.execPath, ['--import', 'tsx/esm', script, '--block-time', 'soon'], {
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const [text] = await once(child.stderr.setEncoding('utf8'), 'data')
  t.match(text, /^--block-time soon: expected a time .*\(--help lists the options\)\n$/)
  t.equal((await once(child, 'exit'))[0], 2)
})
