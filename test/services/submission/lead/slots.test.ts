import { createSlotTable } from '../../../../services/submission/lead/slots.ts'
import type { SignedTx } from '../../../../services/submission/store/types.ts'
import { test } from '../../../helpers/tap.ts'

const signedTx = (sequence: number, hash = `HASH-${sequence}`, gasLimit = 1): SignedTx => ({
  hash,
  sequence,
  bytes: new Uint8Array(),
  gasLimit,
  feeAmount: 1n,
  submissionIds: []
})

test('a new signed transaction of a slot is to be sent, whatever was sent before', async t => {
  const slots = createSlotTable()
  slots.add(signedTx(7))
  slots.add(signedTx(8))
  for (const sequence of [7, 8]) {
    const slot = slots.nextToSend()
    t.equal(slot?.sequence, sequence)
    if (slot) Object.assign(slot, { sentAt: 100, timesSent: 2 })
  }
  t.equal(slots.nextToSend(), undefined)
  slots.add(signedTx(8, 'HASH-8b', 5))
  t.match(slots.nextToSend(), { sequence: 8, timesSent: 0, signedTxs: { length: 2 } })
  t.strictSame(slots.gasLimits, [1, 5])
  slots.replay()
  t.equal(slots.nextToSend()?.sequence, 7)
})

test('a removed slot leaves no signed transaction behind', async t => {
  const slots = createSlotTable()
  slots.add(signedTx(7))
  slots.add(signedTx(7, 'HASH-7b'))
  slots.add(signedTx(8))
  t.equal(slots.findSignedTx('HASH-7b')?.sequence, 7)
  slots.remove(7)
  t.equal(slots.findSignedTx('HASH-7'), undefined)
  t.equal(slots.findSignedTx('HASH-7b'), undefined)
  t.equal(slots.first()?.sequence, 8)
  t.equal(slots.size, 1)
})
