import { freePort } from '../../../packages/devnet/free-port.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import { startScript } from '../../helpers/process.ts'
import { rpc } from '../../helpers/rpc.ts'
import { type Test, test } from '../../helpers/tap.ts'

const HOST = '127.0.0.1'
const SCRIPT = 'test/real-chain/start.ts'

async function start(t: Test, options: readonly string[]) {
  const chain = startScript(t, SCRIPT, ...options)
  const [, url = ''] = await chain.saw(/RPC +(http:\S+)/)
  return { url, stop: chain.stop }
}

async function status(url: string) {
  const { result } = await rpc(url, 'status')
  return result as { node_info: { network: string; id: string }; sync_info: { latest_block_height: string } }
}

test('the start script runs a chain, stops it cleanly and can continue it', async t => {
  const ports = ['--rpc-port', String(await freePort(HOST)), '--rest-port', String(await freePort(HOST))]
  const options = ['--data', temporaryFolder(t), '--block-time', '200ms', ...ports]
  const before = await start(t, options)
  const first = await status(before.url)
  t.equal(await before.stop('SIGTERM'), 0)

  const after = await start(t, options)
  const second = await status(after.url)
  t.equal(second.node_info.id, first.node_info.id, 'the same node')
  t.ok(
    Number(second.sync_info.latest_block_height) >= Number(first.sync_info.latest_block_height),
    'the same chain'
  )
  t.equal(await after.stop('SIGINT'), 0)
})

test('the start script rejects an invalid option with a one-line error', async t => {
  const script = startScript(t, SCRIPT, '--block-time', 'soon')
  t.equal(await script.exited, 2)
  t.match(script.stderr, /^--block-time soon: expected a time .*\(--help lists the options\)\n$/)
})
