import { verdicts } from '../../packages/client/verdicts.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

test('handles every error code as docs/errors.md describes', async t => {
  const rows = read('docs/errors.md').matchAll(/^\| \[`([A-Z_]+)`\].* \| \d{3} \| (.+) \| (.+) \|$/gm)
  const documented = [...rows].map(([, code, retry, executed]) => {
    const mayBeExecuted = executed === 'perhaps'
    const verdict =
      retry === 'same' ? (mayBeExecuted ? 'unknown' : 'again') : mayBeExecuted ? 'exists' : 'refused'
    return [code, verdict]
  })
  t.same(Object.fromEntries(documented), verdicts)
})
