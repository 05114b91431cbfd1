import { z } from 'zod';
import { TIERS } from './tier.ts';

export const TierSchema = z.enum(TIERS);
