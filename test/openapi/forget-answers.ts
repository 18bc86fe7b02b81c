import { forgetAnswers } from './recorder.ts'

// Runs before all tests: notes of earlier runs do not count.
forgetAnswers()
