// skip-gram with negative sampling, subsampling; input: a line a text; output: word vectors
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdint.h>
#define HASH (1<<22)
#define MAXL 400
typedef struct { char *w; long n; } W;
static W *v; static int nv=0, cap=1<<16; static int *ht;
static uint32_t hs(const char*s){uint32_t h=2166136261u;while(*s){h^=(unsigned char)*s++;h*=16777619u;}return h&(HASH-1);}
static int find(const char*s){uint32_t h=hs(s);while(ht[h]>=0){if(!strcmp(v[ht[h]].w,s))return ht[h];h=(h+1)&(HASH-1);}return -1;}
static int add(const char*s){int i=find(s);if(i>=0)return i;if(nv==cap){cap*=2;v=realloc(v,cap*sizeof(W));}v[nv].w=strdup(s);v[nv].n=0;uint32_t h=hs(s);while(ht[h]>=0)h=(h+1)&(HASH-1);ht[h]=nv;return nv++;}
static int cmp(const void*a,const void*b){long d=((W*)b)->n-((W*)a)->n;return d>0?1:d<0?-1:0;}
static uint64_t rs=88172645463325252ull; static inline uint64_t rnd(){rs^=rs<<13;rs^=rs>>7;rs^=rs<<17;return rs;}
int main(int c,char**a){ int D=atoi(a[3]),win=atoi(a[4]),ep=atoi(a[5]),minc=atoi(a[6]),neg=8; double sub=1e-4;
 ht=malloc(HASH*4);memset(ht,255,HASH*4);v=malloc(cap*sizeof(W)); FILE*f=fopen(a[1],"r");static char line[1<<20];long tot=0;
 while(fgets(line,sizeof line,f)){for(char*t=strtok(line," \n");t;t=strtok(0," \n")){int q=add(t);v[q].n++;tot++;}}
 qsort(v,nv,sizeof(W),cmp);int K=0;while(K<nv&&v[K].n>=minc)K++;nv=K;memset(ht,255,HASH*4);for(int i=0;i<nv;i++){uint32_t h=hs(v[i].w);while(ht[h]>=0)h=(h+1)&(HASH-1);ht[h]=i;}
 fprintf(stderr,"vocab %d tokens %ld\n",nv,tot);
 int TS=1<<24;int*tab=malloc(4L*TS);double z=0;for(int i=0;i<nv;i++)z+=pow(v[i].n,.75);int j=0;double cu=pow(v[0].n,.75)/z;for(int i=0;i<TS;i++){tab[i]=j;if((double)i/TS>cu&&j<nv-1){j++;cu+=pow(v[j].n,.75)/z;}}
 float*X=malloc(4L*nv*D),*Y=calloc((long)nv*D,4);for(long i=0;i<(long)nv*D;i++)X[i]=((rnd()&0xffff)/65536.f-.5f)/D;
 float sg[2001];for(int i=0;i<=2000;i++){double x=(i-1000)/1000.*8;sg[i]=1/(1+exp(-x));}
 long done=0;int s[MAXL];float*g=malloc(4*D);
 for(int e=0;e<ep;e++){rewind(f);while(fgets(line,sizeof line,f)){int n=0;for(char*t=strtok(line," \n");t&&n<MAXL;t=strtok(0," \n")){done++;int i=find(t);if(i<0)continue;double fr=(double)v[i].n/tot;double keep=sqrt(sub/fr)+sub/fr;if(keep<1&&(rnd()&0xffffff)/16777216.>keep)continue;s[n++]=i;}
  float lr=.025f*(1-(float)done/((double)tot*ep+1));if(lr<1e-4f)lr=1e-4f;
  for(int p=0;p<n;p++){int w=1+rnd()%win;for(int q=p-w;q<=p+w;q++){if(q<0||q>=n||q==p)continue;float*x=X+(long)s[q]*D;memset(g,0,4*D);
   for(int k=0;k<=neg;k++){int t;float l;if(!k){t=s[p];l=1;}else{t=tab[rnd()&(TS-1)];if(t==s[p])continue;l=0;}float*y=Y+(long)t*D;float d=0;for(int i=0;i<D;i++)d+=x[i]*y[i];int ix=(int)(d/8*1000)+1000;if(ix<0)ix=0;if(ix>2000)ix=2000;float gr=(l-sg[ix])*lr;for(int i=0;i<D;i++){g[i]+=gr*y[i];y[i]+=gr*x[i];}}
   for(int i=0;i<D;i++)x[i]+=g[i];}}}
  fprintf(stderr,"epoch %d\n",e);}
 FILE*o=fopen(a[2],"wb");FILE*w=fopen(strcat(strdup(a[2]),"\0"),"ab");fclose(w);fprintf(o,"%d %d\n",nv,D);for(int i=0;i<nv;i++){fprintf(o,"%s %ld",v[i].w,v[i].n);for(int k=0;k<D;k++)fprintf(o," %.4f",X[(long)i*D+k]);fputc('\n',o);}fclose(o);}
