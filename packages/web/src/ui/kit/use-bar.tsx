import { Box } from '@chakra-ui/react';

/** How much of something is in use. Beside the same in text it is decoration. @param share percent; a float, for pixels */
export const UseBar = ({ share }: { share: number }) => (
  <Box w="104px" maxW="100%" h="5px" borderRadius="3px" bg="bg.raised" overflow="hidden" aria-hidden="true">
    <Box h="100%" borderRadius="3px" bg="fg.subtle" style={{ width: `${Math.min(100, Math.max(0, share))}%` }} />
  </Box>
);
