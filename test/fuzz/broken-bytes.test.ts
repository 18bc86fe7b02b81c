import { testBrokenBytes } from './broken-bytes.ts'

testBrokenBytes(20)
