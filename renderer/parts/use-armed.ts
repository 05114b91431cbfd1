import { useEffect, useState } from 'react';

const ARM_MS = 800;

/** True once what is named by `key` has been on show for 800 ms in a window that has the focus; starts over when either changes. */
export const useArmed = (key: string): boolean => {
  const [armedFor, setArmedFor] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arm = (): void => {
      clearTimeout(timer);
      setArmedFor(null);
      timer = setTimeout(() => setArmedFor(key), ARM_MS);
    };
    const disarm = (): void => {
      clearTimeout(timer);
      setArmedFor(null);
    };
    arm();
    window.addEventListener('focus', arm);
    window.addEventListener('blur', disarm);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', arm);
      window.removeEventListener('blur', disarm);
    };
  }, [key]);
  return armedFor === key;
};
