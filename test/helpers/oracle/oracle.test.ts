import { startDevnet } from '../../../devnet/index.ts'
import { sign, swap, transfer } from '../devnet/transactions.ts'
import { test } from '../tap.ts'
import { readChain, readChainOverRpc } from './index.ts'

for (const [name, request] of Object.entries({ transfer, swap })) {
  test(`a ${name} that is on the chain twice is counted twice`, async t => {
    const devnet = await startDevnet()
    t.teardown(() => devnet.close())
    devnet.chain.pause()
    const address = devnet.addresses.development
    for (const sequence of [0, 1]) {
      const options = JSON.stringify({ feeId: 'fee-1' })
      devnet.chain.submitTx(await sign(devnet, [request(address, { options })], { sequence }))
      devnet.chain.produceBlock()
    }
    for (const truth of [readChain(devnet, address), await readChainOverRpc(devnet.urls.rpc, address)]) {
      t.strictSame([...truth.executions], [['fee-1', 2]])
      t.match(truth.requests.get('fee-1'), [{ txId: 1 }, { txId: 2 }])
    }
  })
}
