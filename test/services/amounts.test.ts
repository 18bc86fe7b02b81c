import { plainDecimal } from '../../services/amounts.ts'
import { test } from '../helpers/tap.ts'

test('expands a JSON number without its exponent', async t => {
  const cases: [string, string][] = [
    ['100.50', '100.50'],
    ['1E+2', '100'],
    ['12.5e-3', '0.0125'],
    ['0.05e1', '0.5'],
    ['1.50e1', '15'],
    ['1.50e0', '1.5'],
    ['90071992547409931.25e1', '900719925474099312.5'],
    ['1e05', '100000']
  ]
  for (const [text, plain] of cases) t.equal(plainDecimal(text), plain, text)
})
