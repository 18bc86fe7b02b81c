import { startNetwork } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'
import { sign, transfer } from './transactions.ts'

test('CheckTx can accept a transaction that is then dropped, with or without its hash in the cache', async t => {
  const devnet = await startNetwork(t)
  const { chain, control } = devnet
  control.pause()
  for (const cached of [false, true]) {
    const tx = await sign(devnet, [transfer(devnet.addresses.development)], { sequence: Number(cached) })
    control.dropNext({ count: 1, cached })
    t.match(chain.submitTx(tx), { code: 0 })
    t.equal(chain.mempool.size, 0)
    if (cached) t.throws(() => chain.submitTx(tx), /already exists in cache/)
    else t.match(chain.submitTx(tx), { code: 32 })
  }
})
