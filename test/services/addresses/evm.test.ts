import { getAddress, isAddress } from 'viem/utils'
import { checksummed, evmProblem, isEvmAddress } from '../../../services/addresses/evm.ts'
import fc from '../../helpers/fast-check.ts'
import { test } from '../../helpers/tap.ts'

const digits = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map(bytes => Buffer.from(bytes).toString('hex'))

/** The same digits, each letter in a case of its own. */
const anyCase = fc
  .tuple(digits, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }))
  .map(([text, capitals]) => [...text].map((c, i) => (capitals[i] ? c.toUpperCase() : c)).join(''))

test('an address has the checksum that viem computes', async t => {
  fc.assert(
    fc.property(fc.oneof(digits, anyCase), text => {
      const address = `0x${text}`
      t.equal(checksummed(address), getAddress(address))
      t.equal(evmProblem(checksummed(address)), undefined)
      const isOneCase = [text.toLowerCase(), text.toUpperCase()].includes(text)
      t.equal(evmProblem(address) === undefined, isOneCase || isAddress(address))
    }),
    { numRuns: 500 }
  )
})

test('a text is an address where viem says so', async t => {
  const almost = fc.tuple(digits, fc.nat(42), fc.string({ maxLength: 2 })).map(([text, at, other]) => {
    const address = `0x${text}`
    return `${address.slice(0, at)}${other}${address.slice(at + 1)}`
  })
  fc.assert(
    fc.property(fc.oneof(almost, fc.string()), text => {
      t.equal(isEvmAddress(text), isAddress(text, { strict: false }), text)
    }),
    { numRuns: 500 }
  )
})
