import type { ListenOptions, RunningServer } from '../../packages/devnet/http-server.ts'
import { startServers } from '../../packages/devnet/servers.ts'
import { test } from '../helpers/tap.ts'

/** Starters that record their calls; the one named `failing` cannot listen. */
function starters(failing?: string) {
  const open = new Map<string, number>()
  const starter =
    (name: string) =>
    async (at: ListenOptions): Promise<RunningServer> => {
      if (name === failing) throw new Error(`no port for ${name}`)
      open.set(name, at.port)
      return { url: `http://${at.host}:${at.port}/${name}`, close: async () => void open.delete(name) }
    }
  return {
    open,
    all: {
      rpc: starter('rpc'),
      rest: starter('rest'),
      graphql: starter('graphql'),
      fees: starter('fees'),
      compliance: starter('compliance'),
      kyc: starter('kyc')
    }
  }
}

test('the servers listen on consecutive ports', async t => {
  const { open, all } = starters()
  const { urls, close } = await startServers(all, { host: 'localhost', port: 5000 })
  t.strictSame([...open.values()], [5000, 5001, 5002, 5003, 5004, 5005])
  t.equal(urls.kyc, 'http://localhost:5005/kyc')
  await close()
  t.equal(open.size, 0)
})

test('when one server cannot listen, all are closed', async t => {
  const { open, all } = starters('fees')
  await t.rejects(startServers(all, { host: 'localhost', port: 5000 }), { message: 'no port for fees' })
  t.equal(open.size, 0)
})
