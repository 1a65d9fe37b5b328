//! Commands that discard more than the files they name: whole trees of files, and what services hold. The kernel plan
//! sees little of that. `judge/discards` reads these tables; modes of single programs are in their rows of `uses`.

use std::sync::LazyLock;

use super::Names;

/// Programs that can go through whole trees, with the letters and the long option that make them do so. A program
/// without letters always does.
pub(crate) const TREE_PROGRAMS: &[(&str, &str, &str)] = &[
    ("rm grm srm trash trash-put", "rR", "--recursive"),
    ("chmod chown chgrp", "R", "--recursive"),
    ("rimraf del-cli", "", ""),
];

/// Programs that remove or move away what they name.
pub(crate) const REMOVING_PROGRAMS: &str =
    "rm grm srm unlink rmdir shred trash trash-put rimraf del-cli mv gmv";

/// Where a repository keeps its history, beneath its folder `.git`.
pub(crate) const HISTORY: &str = "objects refs logs HEAD packed-refs";

/// Command lines of services. Their first words say what is done to something on another machine.
pub(crate) static SERVICES: LazyLock<Names> = LazyLock::new(|| Names::of(SERVICES_TEXT));

const SERVICES_TEXT: &str = "\
kubectl oc k3s microk8s kubeadm helm argocd flux istioctl kops eksctl minikube kind k3d nomad consul vault waypoint \
boundary terraform tofu terragrunt pulumi cdk cdktf sam copilot serverless sls amplify sst packer aws awslocal gcloud \
gsutil bq az azd azcopy oci ibmcloud aliyun tccli doctl hcloud linode-cli vultr-cli scw exo openstack nova cinder swift \
s3cmd s5cmd mc mcli rclone b2 heroku fly flyctl vercel netlify wrangler firebase supabase railway render neonctl pscale \
turso appwrite gh glab tea jira circleci docker podman nerdctl docker-compose podman-compose ctr crictl buildah lxc \
incus virsh multipass vagrant rabbitmqctl rabbitmqadmin kafka-topics kafka-topics.sh nats redis-cli valkey-cli etcdctl \
influx mysqladmin zfs zpool btrfs lvm restic borg duplicity tarsnap rbd rados ceph gluster snapper timeshift";

/// Words in a service's command line that discard something, at any position. A `*` matches any text.
pub(crate) const DISCARDING_WORDS: &str = "delete delete-* *-delete *:delete del destroy destroy-* *:destroy -destroy --destroy rm rmi rb rmdir remove \
    remove-* rem erase wipe purge purge-* *:purge drop drop-* terminate terminate-* prune prune-* forget uninstall down \
    undeploy teardown undefine reset *:reset drain flushall flushdb unlink deregister deregister-* --delete --prune \
    --replicas=0 --force-destroy";

/// Options with which a service does nothing.
pub(crate) const HARMLESS_OPTIONS: &str =
    "--help -h --dry-run --dry-run=client --dry-run=server --dry-run=true --dryrun --what-if";
