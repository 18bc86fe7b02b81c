import { testBrokenBytes } from '../broken-bytes.ts'

testBrokenBytes(300)
