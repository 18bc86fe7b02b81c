import {
  createMessageTypes,
  type MsgRequestTransaction,
  msgRequestResponse
} from '../../../services/messages/index.ts'
import { test } from '../../helpers/tap.ts'

const { requestTransaction, requestSwapTransaction, requestHtlcLock, htlcReclaim } =
  createMessageTypes('service')

/** Returns a string's bytes. The tests write the length prefix by hand. */
const ascii = (text: string) => [...Buffer.from(text, 'ascii')]
const hex = (bytes: Uint8Array | number[]) => Buffer.from(bytes).toString('hex')
const encode = (partial: Partial<MsgRequestTransaction>) =>
  requestTransaction.encode(requestTransaction.fromPartial(partial)).finish()

// Tag = field number << 3 | wire type; 2 = length-delimited, 0 = varint.

test('encodes numbers and bytes with their field numbers, and omits default values', async t => {
  const some = { htlcCreationVout: 300, senderPubKey: new Uint8Array([0x02, 0xff, 0x00]) }
  const vout = [0xac, 0x02] // 300 = 2·128 + 44
  t.equal(hex(encode(some)), hex([0x60, ...vout, 0x72, 3, 0x02, 0xff, 0x00]))
  const swap = requestSwapTransaction.encode(requestSwapTransaction.fromPartial(some)).finish()
  // Above field 15 the tag takes two bytes: 17 << 3 | 2 = 138 = 0x8a 0x01.
  t.equal(hex(swap), hex([0x78, ...vout, 0x8a, 0x01, 3, 0x02, 0xff, 0x00]))
  t.same(requestSwapTransaction.decode(swap), requestSwapTransaction.fromPartial(some))
})

test('encodes the messages about locks with consecutive field numbers', async t => {
  const names = ['creator', 'fromAddress', 'senderPubkey', 'amount', 'htlcTimeout', 'txHash', 'htlcAddress']
  const texts = (names: string[]) => Object.fromEntries(names.map((name, index) => [name, `${index + 1}`]))
  const bytes = (count: number) =>
    Array.from({ length: count }, (_, index) => [((index + 1) << 3) | 2, 1, ...ascii(`${index + 1}`)]).flat()
  const lock = requestHtlcLock.fromPartial(texts(names))
  t.equal(hex(requestHtlcLock.encode(lock).finish()), hex(bytes(7)))
  const reclaim = htlcReclaim.fromPartial(texts(['creator', 'txHash', 'senderAddress']))
  t.equal(hex(htlcReclaim.encode(reclaim).finish()), hex(bytes(3)))
})

test('decodes a uint64 above the safe integer range', async t => {
  const txId = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]
  const bytes = [...[0x0a, 3, ...ascii('200')], ...[0x12, 2, ...ascii('ok')], 0x18, ...txId]
  const response = { code: '200', msg: 'ok', txId: 2n ** 53n + 1n }
  t.equal(hex(msgRequestResponse.encode(response).finish()), hex(bytes))
  t.same(msgRequestResponse.decode(new Uint8Array(bytes)), response)
})

test('skips unknown fields, and known fields with another wire type', async t => {
  const bytes = [
    ...[0xa0, 0x06, 0x05], // field 100, varint
    ...[0x0a, 2, ...ascii('me')],
    ...[0x10, 0x01], // field 2 as a varint
    ...[0xb2, 0x06, 3, 1, 2, 3], // field 102, length-delimited
    ...[0x42, 1, ...ascii('7')]
  ]
  const expected = requestTransaction.fromPartial({ creator: 'me', amount: '7' })
  t.same(requestTransaction.decode(new Uint8Array(bytes)), expected)
  t.throws(() => requestTransaction.decode(new Uint8Array(bytes.slice(0, -1))), RangeError)
})

test('rejects values that other Protobuf implementations cannot read', async t => {
  t.throws(() => encode({ options: '"\ud800"' }), /not well-formed Unicode/)
  t.equal(hex(encode({ htlcCreationVout: 2 ** 32 - 1 })), '60ffffffff0f')
  t.throws(() => encode({ htlcCreationVout: 2 ** 32 }), /not a uint32/)
  t.throws(() => encode({ htlcCreationVout: 1.5 }), /not a uint32/)
  t.throws(() => msgRequestResponse.encode({ code: '', msg: '', txId: -1n }), /not a uint64/)
})
