import { recordAt } from '../../packages/devnet/modules/transfer/lifecycle.ts'
import { type TransactionRecord, untouched } from '../../packages/devnet/modules/transfer/record.ts'
import { specialTargets } from '../../packages/devnet/modules/transfer/special-addresses.ts'
import { test } from '../helpers/tap.ts'

const HEIGHT = 5

const record = (targetAddress: string): TransactionRecord => ({
  ...untouched,
  kind: 'transfer',
  id: 1,
  creator: 'service1creator',
  originChain: 'ETH',
  originAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  originSymbol: 'USDT',
  targetChain: 'SOL',
  targetAddress,
  targetSymbol: 'USDC',
  amount: '100.5',
  txHash: 'C'.repeat(64),
  createdAt: HEIGHT
})

const refundStart = ['Pull_Confirmed', 'Pulled', 'RefundStart']
const routes = {
  ordinary: ['Pull_Confirmed', 'Pulled', 'Paid', 'Completed'],
  failedToPull: ['FailedToPull'],
  failedToPay: ['Pull_Confirmed', 'Pulled', 'FailedToPay'],
  refunded: [...refundStart, 'RefundCompleted'],
  refundFailed: [...refundStart, 'RefundFailed'],
  declined: ['DeclinedInvalid'],
  unavailable: ['UnAvailable']
}

for (const [name, steps] of Object.entries(routes)) {
  test(`a transfer advances one status per block and ends as ${steps.at(-1)}`, async t => {
    const special = name === 'ordinary' ? undefined : specialTargets[name as keyof typeof specialTargets]
    // Addresses are case-insensitive.
    const before = record(special?.replace('f', 'F') ?? '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU')
    const expected = ['Available', ...steps, steps.at(-1), steps.at(-1)]
    const seen = expected.map((_, index) => recordAt(before, HEIGHT + index).status)
    t.strictSame(seen, expected)
    const after = recordAt(before, HEIGHT + 9)
    t.match(after.pullHash, steps.includes('Pulled') ? /^0x[0-9a-f]{64}$/ : /^$/)
    t.match(after.releaseHash, steps.includes('Paid') ? /^[1-9A-HJ-NP-Za-km-z]{86,88}$/ : /^$/)
    t.match(after.refundHash, name === 'refunded' ? /^0x[0-9a-f]{64}$/ : /^$/)
    t.equal(after.failReason === '', name === 'ordinary')
    t.equal(after.pullFailCount, name === 'failedToPull' ? 1 : 0)
    t.equal(after.releaseFailCount, steps.includes('RefundStart') || name === 'failedToPay' ? 1 : 0)
  })
}
