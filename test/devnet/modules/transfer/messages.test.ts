import { AbciError } from '../../../../devnet/chain/errors.ts'
import { specialTargets } from '../../../../devnet/modules/transfer/special-addresses.ts'
import { type Test, test } from '../../../helpers/tap.ts'
import { CREATOR, createBench, STRANGER, SWAP, TRANSFER } from './module-bench.ts'

function attributes(event: { attributes: { key: string; value: string }[] } | undefined) {
  return Object.fromEntries(event?.attributes.map(({ key, value }) => [key, value]) ?? [])
}

function throwsAbci(t: Test, run: () => unknown, codespace: string, code: number, message: RegExp): void {
  const error = t.throws(run)
  t.ok(error instanceof AbciError)
  t.match(error, { codespace, code, message })
}

test('an accepted transfer gets the next id, an event and a record', t => {
  const bench = createBench()
  const { response, events } = bench.transfer({})
  t.strictSame(response, { code: '200', msg: 'transaction requested', txId: 1n })
  t.equal(events.length, 1)
  t.equal(events[0]?.type, 'transaction_requested')
  t.match(attributes(events[0]), {
    txId: '1',
    creator: CREATOR,
    originChain: 'ETH',
    targetChain: 'SOL',
    amount: '100.5',
    fee: '0.41'
  })
  const record = bench.module.records.find(1, bench.endBlock())
  t.match(record, {
    kind: 'transfer',
    amount: '100.5',
    originAddress: TRANSFER.originAddress,
    txHash: /^C{64}$/
  })
  t.end()
})

test('a swap takes its id from the same counter and keeps both amounts', t => {
  const bench = createBench()
  bench.transfer({})
  const { response, events } = bench.swap({})
  t.equal(response.txId, 2n)
  t.equal(events[0]?.type, 'swap_transaction_requested')
  t.match(attributes(events[0]), { txId: '2', amountIn: '10', amountOut: '9.5' })
  const { amountIn, amountOut, dex, slippage } = SWAP
  t.match(bench.module.records.find(2, bench.endBlock()), {
    kind: 'swap',
    amountIn,
    amountOut,
    dex,
    slippage
  })
  t.end()
})

test('submitting the same quote twice makes two transactions', t => {
  const bench = createBench()
  t.equal(bench.transfer({}).response.txId, 1n)
  t.equal(bench.transfer({}).response.txId, 2n)
  t.end()
})

test('a wallet that is not whitelisted is refused', t => {
  const bench = createBench()
  const text = new RegExp(`^creator ${STRANGER} is not whitelisted: unauthorized$`)
  throwsAbci(t, () => bench.transfer({ creator: STRANGER }), 'sdk', 4, text)
  t.equal(bench.transfer({}).response.txId, 1n, 'no id was used up')
  t.end()
})

test('a refused request leaves an error event and nothing else', t => {
  const bench = createBench()
  const refused = [
    { options: '' },
    { options: 'feeId' },
    { options: '{}' },
    { options: 'null' },
    { options: '{"feeId":""}' },
    { targetAddress: specialTargets.refusedByEvent }
  ]
  for (const change of refused) {
    const { response, events } = bench.transfer(change)
    t.match(response, { code: '400', txId: 0n }, JSON.stringify(change))
    t.equal(events.length, 1)
    t.equal(events[0]?.type, 'error')
    t.strictSame(attributes(events[0]), { code: '400', content: response.msg })
  }
  t.strictSame(bench.module.records.list(bench.endBlock()), [])
  t.end()
})

test('the key of the feeId has any case', t => {
  const bench = createBench()
  t.equal(bench.transfer({ options: '{"feeid":"x"}' }).response.code, '200')
  t.equal(bench.transfer({ options: '{"feeId":"x","FEEID":""}' }).response.code, '400')
  t.end()
})

test('a special target makes the message fail', t => {
  const bench = createBench()
  const run = () => bench.transfer({ targetAddress: specialTargets.failedMessage })
  throwsAbci(t, run, 'transaction', 1100, /makes the message fail/)
  t.end()
})

test('messages with missing or malformed fields are invalid', t => {
  const bench = createBench()
  throwsAbci(
    t,
    () => bench.transfer({ originChain: '' }),
    'sdk',
    18,
    /^originChain is empty: invalid request$/
  )
  throwsAbci(t, () => bench.transfer({ targetSymbol: '' }), 'sdk', 18, /targetSymbol/)
  throwsAbci(t, () => bench.transfer({ amount: '0' }), 'sdk', 18, /amount is zero/)
  throwsAbci(t, () => bench.transfer({ amount: '0.00' }), 'sdk', 18, /amount is zero/)
  throwsAbci(t, () => bench.transfer({ amount: '1e3' }), 'sdk', 18, /amount is not a decimal/)
  throwsAbci(t, () => bench.transfer({ amount: '-1' }), 'sdk', 18, /amount is not a decimal/)
  throwsAbci(t, () => bench.transfer({ fee: '' }), 'sdk', 18, /fee is not a decimal/)
  throwsAbci(t, () => bench.swap({ amountOut: '0' }), 'sdk', 18, /amountOut is zero/)
  throwsAbci(t, () => bench.transfer({ creator: 'cosmos1xyz' }), 'sdk', 7, /invalid creator address/)
  t.equal(bench.transfer({ fee: '0' }).response.code, '200', 'a fee may be zero')
  t.end()
})
